// fault: a configuration that visits no tile row at a time
// caught: compile time
// expect: group = 0: tile rows visited together, from 1 to 4096
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .group = 0};
};
static_assert(verified<kernel>);
