// fault: ping-pong of a single consumer
// caught: compile time
// expect: ping-pong needs at least 2 consumers, not 1
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .pingpong = true};
};
static_assert(verified<kernel>);
