// expect: a * b: the columns of a must equal the rows of b (ACols, BRows above); is a transpose() missing?
#include "product.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)), input<"B(N,K)", bf16>(row_major, tile(64, 32)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
