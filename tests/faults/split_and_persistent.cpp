// fault: a persistent kernel whose loops are split
// caught: compile time
// expect: split = 2: the parts of a tile meet when the loops of its CTAs are over, so a CTA makes one tile; leave out .persistent
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .split = 2};
};
static_assert(verified<kernel>);
