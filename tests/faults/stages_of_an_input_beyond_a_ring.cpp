// fault: more stages for an input than a ring has
// caught: compile time
// expect: operand B: 17 stages: 1 to 16 are possible
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 16}, {"N", 16}}, .stages = 2, .consumers = 1};
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), with_stages(17, input<"B(N,K)", bf16>()), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
