// fault: a configuration without a warpgroup that multiplies
// caught: compile time
// expect: 0 consumer warpgroups and a producer need 128 threads
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 0};
};
static_assert(verified<kernel>);
