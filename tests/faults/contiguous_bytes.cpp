// fault: tile rows that are no multiple of the 16 bytes that TMA copies
// reported: triton#7385
// caught: compile time
// expect: operand A: 12 contiguous elements are 24 bytes; TMA copies multiples of 16 bytes: use a multiple of 8 elements
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 12)), input<"B(N,K)", bf16>(row_major, tile(64, 12)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
