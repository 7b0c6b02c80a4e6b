// fault: storing integer sums as s8
// caught: compile time
// expect: store to C: a value of s32 cannot become an output of s8; store cast<float>(value), or declare C as s32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(), output<"C(M,N)", s8>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 128}, {"N", 64}});
};
static_assert(verified<kernel>);
