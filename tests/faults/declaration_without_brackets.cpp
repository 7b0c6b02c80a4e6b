// fault: a vector whose declaration is named and not made
// caught: compile time
// expect: operands(): argument 3 declares no operand; one is input<"A(M,K)", bf16>(), with round brackets, and likewise output, scalar, vector_input ..
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"v(T,M)", float>, output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
