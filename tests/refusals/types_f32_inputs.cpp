// expect: wgmma has no f32 x f32 -> f32 here; use bf16 x bf16
#include "product.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", float>(row_major, tile(128, 64)),
                                                     input<"B(N,K)", float>(row_major, tile(64, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
