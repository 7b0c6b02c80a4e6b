// fault: an operand with one mode
// caught: compile time
// expect: operand A has 1 mode, a tensor has 2 to 5, with names: input<"A(M,K)", ..>()
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
