// fault: a configuration with two orders of the consumers at once
// caught: compile time
// expect: ping-pong and a stagger of 1 both order the consumers; choose one
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .pingpong = true, .stagger = 1};
};
static_assert(verified<kernel>);
