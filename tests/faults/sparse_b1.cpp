// fault: a sparse operand of a type that has no sparse product
// caught: compile time
// expect: operand A: wgmma has no sparse b1; f16, bf16, tf32, e4m3, e5m2, s8 and u8 can be sparse
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", b1x8>(), input<"B(N,K)", b1x8>(), output<"C(M,N)", s32>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 1024}, {"N", 64}});
};
static_assert(verified<kernel>);
