// GEMMs for GPUs before Hopper, through nvcuda::wmma.
#include <sectile/kernels/gemm.hpp>

#include "tool/kernels/portable.hpp"

namespace sectile::tool {

std::span<const portable_reading> portable_wmma_readings() {
  using kernels::gemm;
  using how = portable::wmma<>;
  static const portable_reading list[] = {
      portable_of<kernels::gemm_bf16, how>("gemm_bf16"),
      portable_of<gemm<f16, f16, f16>, how>("gemm_f16"),
      portable_of<gemm<tf32, tf32, float>, how>("gemm_tf32"),
      portable_of<gemm<s8, s8, s32>, how>("gemm_s8"),
      portable_of<gemm<u8, u8, s32>, how>("gemm_u8"),
  };
  return list;
}

}  // namespace sectile::tool
