// fault: a configuration with an extent for a mode that no operand has
// caught: compile time
// expect: the configuration's tile has an extent along L, a mode that no operand has; take it out
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 64}, {"L", 64}}, .stages = 2, .consumers = 2};
};
static_assert(verified<kernel>);
