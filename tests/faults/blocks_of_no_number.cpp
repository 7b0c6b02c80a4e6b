// fault: a mode in blocks, of how many is not said
// caught: compile time
// expect: operand SB: in N/ 0 neighbours have one element between them; 2 to 32768 may, as in N/128
#include "fault.hpp"

struct kernel : product_with_squares {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"SB(N/,KB)", float>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
