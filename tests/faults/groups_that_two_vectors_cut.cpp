// fault: rows of groups that end where two vectors say
// caught: compile time
// expect: operands ends and more both cut T into groups; one of them says where those are
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands =
      sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,N,K)", bf16>(), group_ends<"ends(E)", "T">(),
                        group_counts<"more(E)", "T">(), output<"Y(E,T,N)", bf16>());

  static constexpr void body(auto& sm, auto X, auto W, auto ends, auto, auto Y) {
    grouped_product::body(sm, X, W, ends, Y);
  }
};
static_assert(verified<kernel>);
