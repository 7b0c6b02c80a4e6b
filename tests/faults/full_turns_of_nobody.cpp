// fault: full turns of consumers that take none
// caught: compile time
// expect: .full_turns = true says how long a turn of ping-pong lasts; add .pingpong = true, or leave it out
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .full_turns = true};
};
static_assert(verified<kernel>);
