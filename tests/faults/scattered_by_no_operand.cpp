// fault: rows that an index names which is no operand
// caught: compile time
// expect: operand C: its rows are named by row, which is no operand; declare input<"row(M)", s32>()
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"place(M)", s32>(), input<"B(N,K)", bf16>(),
                        scattered_output<"C(M,N)", bf16, "row">());
};
static_assert(verified<kernel>);
