// fault: a sparse operand that is stored column-major
// caught: compile time
// expect: operand A: a sparse operand is a row-major matrix, without batch modes
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(col_major), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
