// fault: sums of parts, by so many at once
// caught: compile time
// expect: fan_in = 4: sums of parts are added one after the other; only parts that a body merges, by sm.merge(f, x ..), meet by so many at once
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .split = 16, .fan_in = 4};
};
static_assert(verified<kernel>);
