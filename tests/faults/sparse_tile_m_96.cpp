// fault: a sparse tile whose rows are not whole blocks of metadata
// caught: compile time
// expect: operand A: a sparse tile has a multiple of 64 rows, because a block of metadata serves so many; not 96
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(sparse_input<"A(M,K)", bf16>(row_major, tile(96, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(64, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(96, 64)));
};
static_assert(verified<kernel>);
