// fault: loops that are split into no parts
// caught: compile time
// expect: split = 0 with a cluster of 1 x 1
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 0};
};
static_assert(verified<kernel>);
