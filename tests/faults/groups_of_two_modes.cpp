// fault: ends of groups with two modes
// caught: compile time
// expect: operand ends: group_ends<"ends(E)", "T">() has one mode, which counts groups
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(),
                                                     group_ends<"ends(B,E)", "T">(), output<"Y(E,T,N)", bf16>());
};
static_assert(verified<kernel>);
