// fault: rows that an index picks which is no operand
// caught: compile time
// expect: operand A: its rows are picked by rows, which is no operand; declare input<"rows(M)", s32>()
#include "fault.hpp"

struct kernel : gathered_product {
  static constexpr auto operands = sectile::operands(gathered_input<"A(M,K)", bf16, "rows">(), input<"row(M)", s32>(),
                                                     input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
