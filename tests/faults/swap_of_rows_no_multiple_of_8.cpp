// fault: a configuration that swaps, with a tile of 12 rows
// caught: compile time
// expect: operand A: tile M = 12
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 12}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .swap = true};
};
static_assert(verified<kernel>);
