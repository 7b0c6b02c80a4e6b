// Rung 10: two CTAs that share a tile of B.
//
// CTAs of a cluster, one above the other, need the same tile of B. Each fetches half of it and sends that half to both
// (TMA multicast): a third of what they fetch is saved. A stage is free when the consumers of both are done with it.
#pragma once
#include <sectile/kernels/ladder/warp_specialization.hpp>

namespace sectile::kernels::ladder {

struct clusters : warp_specialization {
  static constexpr configuration how{
      .tile = {{"M", 128}, {"N", 256}, {"K", 64}}, .stages = 4, .cluster = {2, 1}, .consumers = 2};
};

}  // namespace sectile::kernels::ladder
