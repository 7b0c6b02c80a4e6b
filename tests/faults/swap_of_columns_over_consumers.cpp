// fault: a configuration that swaps, whose columns do not split over the consumers
// caught: compile time
// expect: tile columns N = 96 do not split into the instruction's 64 rows (of the transpose, .swap = true)
// expect: use 128 or another number of consumers
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"N", 96}, {"K", 64}}, .stages = 2, .consumers = 1, .swap = true};
};
static_assert(verified<kernel>);
