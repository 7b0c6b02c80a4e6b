// expect: fragments of 512 registers per thread do not fit: a consumer has 240, 28 of them for the rest; use smaller tiles or more consumers
#include "product.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(row_major, tile(512, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(256, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(512, 256)));
  static constexpr sectile::schedule schedule{.stages = 1, .consumers = 2};
};
static_assert(verified<kernel>);
