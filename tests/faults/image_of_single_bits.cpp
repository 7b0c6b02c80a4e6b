// fault: an image of single bits
// caught: compile time
// expect: operand X: im2col_input() takes elements of 8 bits or more, not b1
#include "fault.hpp"

struct kernel : convolved {
  static constexpr auto operands =
      sectile::operands(im2col_input<"X(T,M,C)", b1x8>(), input<"W(T,K,C)", b1x8>(), output<"Y(M,K)", s32>());
  static constexpr sectile::configuration how = convolved::how.with_tile({{"M", 128}, {"C", 256}, {"K", 64}});
};
static_assert(verified<kernel>);
