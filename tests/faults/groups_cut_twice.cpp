// fault: two vectors that say where groups end
// caught: compile time
// expect: operand X(E,T,K): T and K are both cut into groups, by ends and more; an operand has one such mode
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands =
      sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(), group_ends<"ends(E)", "T">(),
                        group_ends<"more(E)", "K">(), output<"Y(E,T,N)", bf16>());

  static constexpr void body(auto& sm, auto X, auto W, auto ends, auto, auto Y) {
    grouped_product::body(sm, X, W, ends, Y);
  }
};
static_assert(verified<kernel>);
