// fault: parts that meet in a cluster, by so many at once
// caught: compile time
// expect: fan_in = 2: the 4 parts of a tile meet in a cluster, where one reads them all; add .apart = true, or leave out .fan_in
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .split = 4, .fan_in = 2};
};
static_assert(verified<kernel>);
