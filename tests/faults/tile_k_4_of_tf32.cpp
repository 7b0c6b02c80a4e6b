// fault: a tile of tf32 with half of the instruction's K
// caught: compile time
// expect: tile K = 4 is not a multiple of the instruction K = 8 (wgmma m64nNk8, tf32); use 8 or 16
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", tf32>(), input<"B(N,K)", tf32>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 4}, {"N", 64}});
};
static_assert(verified<kernel>);
