// fault: tile rows that are no multiple of the instruction's 64
// caught: compile time
// expect: operand C: tile rows M = 96 do not split into
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 96}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
};
static_assert(verified<kernel>);
