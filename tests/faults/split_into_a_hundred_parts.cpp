// fault: loops that are split in more parts than anybody would add up
// caught: compile time
// expect: split = 100 parts of a tile; from 1 to 64 are possible, since whoever adds them up reads all of them
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 100};
};
static_assert(verified<kernel>);
