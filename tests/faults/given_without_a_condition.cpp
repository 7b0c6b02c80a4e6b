// fault: an operand under a condition that the body does not ask for
// caught: compile time
// expect: given<..>(more...): 1 of its conditions holds, but the body gets 2 operands in `more`; name the conditions of when<..>() in operands(), in that order
// clang-lines: 16
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        when<true>(scalar<"alpha", float>()), when<true>(scalar<"beta", float>()));

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto... more) {
    [[maybe_unused]] const auto [alpha] = given<true>(more...);
    product::body(sm, A, B, C);
  }
};
static_assert(verified<kernel>);
