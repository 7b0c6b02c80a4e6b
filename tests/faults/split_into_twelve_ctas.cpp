// fault: loops that are split among more CTAs than a cluster has
// caught: compile time
// expect: split = 3 with a cluster of 2 x 2 makes clusters of 12 CTAs; 1 to 8 CTAs are portable on sm_90
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .cluster = {2, 2}, .consumers = 2, .split = 3};
};
static_assert(verified<kernel>);
