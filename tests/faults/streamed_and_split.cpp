// fault: tiles that are all split, and cut for the end
// caught: compile time
// expect: .streamed = true and split = 4: one cuts the tiles of the last wave, the other all of them; leave out one of the two
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .streamed = true, .split = 4};
};
static_assert(verified<kernel>);
