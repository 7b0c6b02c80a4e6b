// fault: an operand with two modes of one name
// caught: compile time
// expect: operand C has two modes M; where both are meant to be of one size, call one M'
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,M)", bf16>());
};
static_assert(verified<kernel>);
