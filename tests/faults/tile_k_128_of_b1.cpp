// fault: a tile of single bits with half of the instruction's K
// reported: tilelang#2381
// caught: compile time
// expect: tile K = 128 is not a multiple of the instruction K = 256 (wgmma m64nNk256, b1); use 256 or 512
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", b1x8>(row_major, tile(128, 128)),
                                                     input<"B(N,K)", b1x8>(row_major, tile(64, 128)),
                                                     output<"C(M,N)", s32>(row_major, tile(128, 64)));
};
static_assert(verified<kernel>);
