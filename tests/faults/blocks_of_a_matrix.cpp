// fault: a matrix whose mode is in blocks, as a vector's may be
// caught: compile time
// expect: operand B has a mode in blocks, N/2, which vectors have that a kernel reads: vector_input<"B(KB,N/2)", ..>(); what is written or multiplied has elements of its own
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N/2,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
