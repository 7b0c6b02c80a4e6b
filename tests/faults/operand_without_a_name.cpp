// fault: an operand of which only the modes have names
// caught: compile time
// expect: operand "(M,K)" has no name; A is that of "A(M,K)"
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
