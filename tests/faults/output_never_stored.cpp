// fault: of two outputs, one that is never stored
// caught: compile time
// expect: operand D is an output that the body never stores; store() it, or take it out of the operands
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        output<"D(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
