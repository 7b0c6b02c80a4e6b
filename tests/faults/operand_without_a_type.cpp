// fault: an operand whose type was forgotten
// caught: compile time
// expect: operand B: its type stores no elements; there are bf16, f16, tf32, float, e4m3, e5m2, s8, u8, s32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)">(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
