// fault: a program whose operands are no constant
// caught: compile time
// expect: a program declares its operands: static constexpr auto operands = sectile::operands(..)
#include "fault.hpp"

struct kernel : product {
  inline static const auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
