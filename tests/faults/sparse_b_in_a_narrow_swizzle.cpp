// fault: a swizzle narrower than the K of a sparse instruction
// reported: tilelang#2603
// caught: compile time
// expect: operand B: a tile of 64 x 64 (K-major, 32-byte swizzle) cannot be read by instructions of 64 x 32: 64 against 32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(row_major, swizzle_mode::b32),
                        output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
