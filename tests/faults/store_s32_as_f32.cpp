// fault: storing integer sums as floats
// caught: compile time
// expect: store to C: a value of s32 cannot become an output of f32; store cast<float>(value), or declare C as s32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(row_major, tile(128, 128)), input<"B(N,K)", s8>(row_major, tile(64, 128)),
                        output<"C(M,N)", float>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
