// fault: a sparse operand of a type that has no sparse product
// caught: compile time
// expect: operand A: wgmma has no sparse b1; f16, bf16, tf32, e4m3, e5m2, s8 and u8 can be sparse
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(sparse_input<"A(M,K)", b1x8>(row_major, tile(128, 1024)),
                                                     input<"B(N,K)", b1x8>(row_major, tile(64, 1024)),
                                                     output<"C(M,N)", s32>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
