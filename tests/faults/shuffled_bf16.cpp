// fault: elements of 16 bits, shuffled
// caught: compile time
// expect: operand A: its type stores no elements
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", shuffled<bf16>>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
