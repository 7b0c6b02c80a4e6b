// fault: a sparse tile narrower than a block of its metadata
// reported: CUDALibrarySamples#167
// caught: compile time
// expect: operand A: a sparse tile of bf16 has a multiple of 64 columns, because a block of metadata serves so many; not 32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(sparse_input<"A(M,K)", bf16>(row_major, tile(128, 32)),
                                                     input<"B(N,K)", bf16>(row_major, tile(64, 32)),
                                                     output<"C(M,N)", bf16>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
