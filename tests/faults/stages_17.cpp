// fault: more stages than a ring can have
// caught: compile time
// expect: 17 stages: 1 to 16 are possible
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 17, .consumers = 2};
};
static_assert(verified<kernel>);
