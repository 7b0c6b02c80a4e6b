// fault: loops that are split into no parts
// caught: compile time
// expect: split = 0 parts of a tile; from 1, which is the whole of it, to 64 are possible
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 0};
};
static_assert(verified<kernel>);
