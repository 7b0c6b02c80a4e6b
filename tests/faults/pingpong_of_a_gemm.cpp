// fault: ping-pong in a body whose consumers never let go of the tensor cores
// caught: compile time
// expect: ping-pong: the consumers must use a product in every trip of the loop
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .pingpong = true};
};
static_assert(verified<kernel>);
