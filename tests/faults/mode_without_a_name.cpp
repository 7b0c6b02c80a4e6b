// fault: a mode whose name is empty
// caught: compile time
// expect: mode 0 of operand A has no name: input<"A(M,K)", ..>()
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
