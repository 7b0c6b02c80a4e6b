// fault: a tile for one consumer that two could hold
// caught: compile time
// expect: fragments of 256 registers per thread do not fit
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 256}}, .stages = 2, .consumers = 2, .own_tiles = true, .persistent = true};
};
static_assert(verified<kernel>);
