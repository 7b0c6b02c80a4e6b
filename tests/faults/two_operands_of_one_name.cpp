// fault: two operands that are both called A
// caught: compile time
// expect: operands 1 and 2 are both called A; give each a name of its own
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"A(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
