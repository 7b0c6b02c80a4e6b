// fault: parts merge tiles that have no block of rows for each consumer
// caught: compile time
// expect: operand C: tile rows M = 64 do not split into the instruction's 64 rows for each of 2 consumers; use 128
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2, .split = 2};
};
static_assert(verified<kernel>);
