// fault: a number of stages for what comes through none
// caught: compile time
// expect: operand C: with_stages(n, ..) is for an input that comes in tiles, through stages; leave it out
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), with_stages(2, output<"C(M,N)", bf16>()));
};
static_assert(verified<kernel>);
