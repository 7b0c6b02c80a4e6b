// fault: blocks of a mode that no matrix has, as a misspelt one
// caught: compile time
// expect: operand SB: NB/48 is in blocks of a mode that no matrix has, so that nothing says how many there are; name a matrix's mode
#include "fault.hpp"

struct kernel : product_with_squares {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"SB(NB/48,KB)", float>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
