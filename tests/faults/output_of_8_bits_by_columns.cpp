// fault: a column-major output of 8 bits
// caught: compile time
// expect: operand C is col_major and of e4m3: stmatrix transposes 8-bit elements two by two; say .swap = true, or row_major
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", e4m3>(col_major));
};
static_assert(verified<kernel>);
