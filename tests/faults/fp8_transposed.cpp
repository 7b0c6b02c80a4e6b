// fault: a transposed operand of an 8-bit type, fp8: wgmma reads it only with K contiguous
// caught: compile time
// expect: operand A: e5m2 operands must have K contiguous in memory
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", e5m2>(col_major, tile(128, 128)),
                                                     input<"B(N,K)", e4m3>(row_major, tile(64, 128)),
                                                     output<"C(M,N)", bf16>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
