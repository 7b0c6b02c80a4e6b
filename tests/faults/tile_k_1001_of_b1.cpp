// fault: a tile of single bits that does not fill whole bytes
// caught: compile time
// expect: operand A: 1001 contiguous elements are 125 bytes; TMA copies multiples of 16 bytes: use a multiple of 128 elements
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", b1x8>(), input<"B(N,K)", b1x8>(), output<"C(M,N)", s32>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 1001}, {"N", 64}});
};
static_assert(verified<kernel>);
