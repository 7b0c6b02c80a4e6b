// fault: storing integer sums as floats
// caught: compile time
// expect: store to C: a value of s32 cannot become an output of f32; store cast<float>(value), or declare C as s32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 128}, {"N", 64}});
};
static_assert(verified<kernel>);
