// Rung 11: CTAs that stay.
//
// The grid has as many CTAs as the GPU has room for, and each computes one tile after the other. The producer does not
// stop between them: the next tile's stages fill while the last one's result is stored, a part after each of the first
// products. This is gemm_bf16 (kernels/gemm.hpp), the kernel that cuBLASLt is compared with.
#pragma once
#include <sectile/kernels/ladder/clusters.hpp>

namespace sectile::kernels::ladder {

struct persistence : clusters {
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 256}, {"K", 64}},
                                     .stages = 4,
                                     .cluster = {2, 1},
                                     .consumers = 2,
                                     .persistent = true};
};

}  // namespace sectile::kernels::ladder
