// fault: two outputs of which one has the other's modes in another order
// caught: compile time
// expect: the matrices that a kernel stores have the same modes in the same order; in memory C(M,N) is output<"C(N,M)", ..>(col_major)
#include "fault.hpp"

struct kernel : kept_product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"Z(N,M)", float>(), output<"C(M,N)", bf16>());
};
static_assert(verified<kernel>);
