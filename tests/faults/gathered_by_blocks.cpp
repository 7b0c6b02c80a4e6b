// fault: rows that an index picks which has a number for each two of them
// caught: compile time
// expect: operand A: its rows are picked by row, which has a number for each 2 of them; declare input<"row(M)", s32>()
#include "fault.hpp"

struct kernel : gathered_product {
  static constexpr auto operands = sectile::operands(gathered_input<"A(M,K)", bf16, "row">(), input<"row(M/2)", s32>(),
                                                     input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
