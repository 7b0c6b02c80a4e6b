// fault: a cluster of 16 CTAs, where 8 are portable
// caught: compile time
// expect: a cluster of 4 x 4 CTAs: 1 to 8 CTAs are portable on sm_90
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .cluster = {4, 4}, .consumers = 2};
};
static_assert(verified<kernel>);
