// fault: more tile columns than an instruction of integers has
// reported: cutlass#3393
// caught: compile time
// expect: not 280; use 256
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(row_major, tile(128, 128)), input<"B(N,K)", s8>(row_major, tile(280, 128)),
                        output<"C(M,N)", s32>(row_major, tile(128, 280)));
};
static_assert(verified<kernel>);
