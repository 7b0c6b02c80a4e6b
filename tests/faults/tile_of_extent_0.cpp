// fault: an empty tile
// caught: compile time
// expect: the configuration's tile has 0 elements along K; an extent is at least 1
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 0}}, .stages = 2, .consumers = 2};
};
static_assert(verified<kernel>);
