// fault: an operand with a space between its modes, where a comma is meant
// caught: compile time
// expect: operand "A(M K)": a name has letters and digits, and its modes stand in round brackets with commas between them
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
