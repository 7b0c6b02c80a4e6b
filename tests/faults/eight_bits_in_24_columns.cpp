// fault: an output of 8-bit elements whose tile has 24 columns
// caught: compile time
// expect: operand C: tile columns N = 24 of an output of e4m3 are not a multiple of 32; use 32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", e4m3>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 24}});
};
static_assert(verified<kernel>);
