// fault: a gather along what a product sums over
// caught: compile time
// expect: operand A: its rows are picked by row, whose modes are not those of A but the last, along which a row is whole; declare input<"row(M)", s32>()
#include "fault.hpp"

struct kernel : gathered_product {
  static constexpr auto operands = sectile::operands(gathered_input<"A(M,K)", bf16, "row">(), input<"row(K)", s32>(),
                                                     input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
