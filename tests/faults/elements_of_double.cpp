// fault: an output of double
// caught: compile time
// expect: operand C: its type stores no elements; there are bf16, f16, tf32, float, e4m3, e5m2, s8, u8, s32, s4x2, u4x2 and b1x8, and shuffled<> of those of 8 and 4 bits
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", double>());
};
static_assert(verified<kernel>);
