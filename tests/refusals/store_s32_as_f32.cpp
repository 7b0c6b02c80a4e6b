// expect: store: a value of type Value cannot become an output of type Output
#include "product.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", s8>(row_major, tile(128, 128)),
                                                     input<"B(N,K)", s8>(row_major, tile(64, 128)),
                                                     output<"C(M,N)", float>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
