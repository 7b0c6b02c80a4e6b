// fault: gathered rows for tiles that are drawn
// caught: compile time
// expect: .dynamic = true and gathered_input() do not go together: one thread draws the work, and many copy A; leave out one of the two
#include "fault.hpp"

struct kernel : gathered_product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .dynamic = true};
};
static_assert(verified<kernel>);
