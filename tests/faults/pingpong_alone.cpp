// fault: ping-pong of a single consumer
// caught: compile time
// expect: ping-pong needs at least 2 consumers, not 1
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(64, 64)), input<"B(N,K)", bf16>(row_major, tile(64, 64)),
                        output<"C(M,N)", bf16>(row_major, tile(64, 64)));
  static constexpr sectile::schedule schedule{.stages = 2, .consumers = 1, .pingpong = true};
};
static_assert(verified<kernel>);
