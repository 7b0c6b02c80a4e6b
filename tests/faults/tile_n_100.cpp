// fault: tile columns that are no multiple of 8
// caught: compile time
// expect: operand C: 100 contiguous elements are 200 bytes; TMA copies multiples of 16 bytes: use a multiple of 8 elements
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 100}});
};
static_assert(verified<kernel>);
