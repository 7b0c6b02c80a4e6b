// fault: tile rows that are no multiple of the 16 bytes that TMA copies
// reported: triton#7385
// caught: compile time
// expect: operand A: 12 contiguous elements are 24 bytes; TMA copies multiples of 16 bytes: use a multiple of 8 elements
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 12}, {"N", 64}});
};
static_assert(verified<kernel>);
