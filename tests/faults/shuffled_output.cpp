// fault: an output with shuffled columns
// caught: compile time
// expect: operand C: outputs are bf16, f16, f32, s32, e4m3, e5m2, s8 or u8, not shuffled e4m3
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", shuffled<e4m3>>());
};
static_assert(verified<kernel>);
