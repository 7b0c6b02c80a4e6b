// expect: fragments of 256 registers per thread do not fit
#include "product.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(row_major, tile(256, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(256, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(256, 256)));
};
static_assert(verified<kernel>);
