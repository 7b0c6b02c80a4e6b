// fault: tile columns that are no multiple of 8
// caught: compile time
// expect: operand C: 100 contiguous elements are 200 bytes; TMA copies multiples of 16 bytes: use a multiple of 8 elements
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(100, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(128, 100)));
};
static_assert(verified<kernel>);
