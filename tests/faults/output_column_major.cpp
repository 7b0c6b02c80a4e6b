// fault: a column-major output
// caught: compile time
// expect: operand C: outputs are row-major; swap the inputs and store the transposed product instead
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(col_major));
};
static_assert(verified<kernel>);
