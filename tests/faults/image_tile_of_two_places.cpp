// fault: a tile of the pixels that two places of a filter meet
// caught: compile time
// expect: operand X: tile extent 2 of batch mode 0 must be 1; only the last two modes are tiled
#include "fault.hpp"

struct kernel : convolved {
  static constexpr sectile::configuration how = convolved::how.with_tile({{"T", 2}, {"M", 128}, {"C", 64}, {"K", 64}});
};
static_assert(verified<kernel>);
