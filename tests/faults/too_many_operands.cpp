// fault: more operands than a kernel can have
// caught: compile time
// expect: operands(): a kernel has at most 16 operands, not 17
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        scalar<"a", float>(), scalar<"b", float>(), scalar<"c", float>(), scalar<"d", float>(),
                        scalar<"e", float>(), scalar<"f", float>(), scalar<"g", float>(), scalar<"h", float>(),
                        scalar<"i", float>(), scalar<"j", float>(), scalar<"k", float>(), scalar<"l", float>(),
                        scalar<"m", float>(), scalar<"n", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto...) { product::body(sm, A, B, C); }
};
static_assert(verified<kernel>);
