// fault: as many parts at once as there are
// caught: compile time
// expect: fan_in = 9: of split = 9 parts so many meet at once, from 2 to 8; 0, which is all of them, is what there is without it
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .split = 9, .fan_in = 9};
};
static_assert(verified<kernel>);
