// fault: five matrices to store to
// caught: compile time
// expect: a kernel stores 1 to 4 matrices, whose tiles are the work; this has 5
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(), output<"D(M,N)", bf16>(),
      output<"E(M,N)", bf16>(), output<"F(M,N)", bf16>(), output<"G(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto, auto, auto, auto) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
