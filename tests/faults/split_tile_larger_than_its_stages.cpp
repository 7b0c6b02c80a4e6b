// fault: a split of a tile whose partial sums are more than the stages hold
// caught: compile time
// expect: split = 2: partial sums of 131072 bytes lie where the stages of A were, which have 49152; use more stages, or a smaller tile
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 256}}, .stages = 1, .consumers = 2, .split = 2};
};
static_assert(verified<kernel>);
