// fault: a tile with half of the instruction's K
// caught: compile time
// expect: tile K = 8 is not a multiple of the instruction K = 16 (wgmma m64nNk16, bf16); use 16 or 32
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 8}, {"N", 64}});
};
static_assert(verified<kernel>);
