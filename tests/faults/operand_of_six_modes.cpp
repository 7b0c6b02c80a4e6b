// fault: an operand with more modes than a tensor has
// caught: compile time
// expect: operand A has 6 modes, a tensor has 2 to 5, with names: input<"A(M,K)", ..>()
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(D,E,F,G,M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
