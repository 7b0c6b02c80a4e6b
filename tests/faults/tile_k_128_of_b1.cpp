// fault: a tile of single bits with half of the instruction's K
// reported: tilelang#2381
// caught: compile time
// expect: tile K = 128 is not a multiple of the instruction K = 256 (wgmma m64nNk256, b1); use 256 or 512
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", b1x8>(), input<"B(N,K)", b1x8>(), output<"C(M,N)", s32>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 128}, {"N", 64}});
};
static_assert(verified<kernel>);
