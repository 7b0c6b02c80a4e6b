// fault: more tile columns than an instruction has
// reported: cutlass#3393
// caught: compile time
// expect: operand B: tile N = 264; wgmma of bf16 x bf16 has N = 8, 16, 24 .. 256, not 264; use 256
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(264, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(128, 264)));
};
static_assert(verified<kernel>);
