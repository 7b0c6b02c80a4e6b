// fault: a mode whose name is too long
// caught: compile time
// expect: mode embedding of operand A: a mode's name has at most 8 letters
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,embedding)", bf16>(), input<"B(N,embedding)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
