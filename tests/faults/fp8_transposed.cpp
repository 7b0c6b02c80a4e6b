// fault: a transposed operand of an 8-bit type, fp8: wgmma reads it only with K contiguous
// caught: compile time
// expect: operand A: e5m2 operands must have K contiguous in memory
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e5m2>(col_major), input<"B(N,K)", e4m3>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 128}, {"N", 64}});
};
static_assert(verified<kernel>);
