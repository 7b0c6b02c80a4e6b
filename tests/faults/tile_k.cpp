// fault: a K tail: the tile's K is no multiple of the instruction's, and the rest would be dropped
// reported: tilelang#2381
// caught: compile time
// expect: tile K = 40 is not a multiple of the instruction K = 16 (wgmma m64nNk16, bf16); use 32 or 48
// expect-clang: refused_because<sectile::rule::tile_is_not_a_multiple_of_the_instruction, 40, 16, 16, 32, 48>
// expect-nvcc: refused_because<sectile::rule::tile_is_not_a_multiple_of_the_instruction, 40LL, 16LL, 16LL, 32LL, 48LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 40}, {"N", 64}});
};
static_assert(verified<kernel>);
