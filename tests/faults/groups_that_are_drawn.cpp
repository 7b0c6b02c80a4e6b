// fault: tiles of groups that are drawn
// caught: compile time
// expect: .dynamic = true and group_ends() do not go together; leave out one of the two
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr sectile::configuration how{
      .tile = grouped_product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .dynamic = true};
};
static_assert(verified<kernel>);
