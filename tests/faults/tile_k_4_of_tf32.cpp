// fault: a tile of tf32 with half of the instruction's K
// caught: compile time
// expect: tile K = 4 is not a multiple of the instruction K = 8 (wgmma m64nNk8, tf32); use 8 or 16
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", tf32>(row_major, tile(128, 4)), input<"B(N,K)", tf32>(row_major, tile(64, 4)),
                        output<"C(M,N)", float>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
