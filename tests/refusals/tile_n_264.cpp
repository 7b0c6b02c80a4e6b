// expect: operand B: tile N = 264 is not a multiple of 8 from 8 to 256 (wgmma m64nNk16); use 256
#include "product.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(264, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(128, 264)));
};
static_assert(verified<kernel>);
