// fault: ends of groups along a mode that no operand has
// caught: compile time
// expect: operand ends cuts M into groups, a mode that no other operand has
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(),
                                                     group_ends<"ends(E)", "M">(), output<"Y(E,T,N)", bf16>());
};
static_assert(verified<kernel>);
