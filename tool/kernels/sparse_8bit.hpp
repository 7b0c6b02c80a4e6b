// Products of a sparse and a dense matrix of 8-bit types.
#pragma once

#include <sectile/kernels/sparse_gemm.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_sparse_8bit(Use use) {
  using kernels::sparse_gemm;
  use(kernel_type<sparse_gemm<e4m3, e4m3, bf16>>(), "sparse_gemm_e4m3", "gemm_e4m3 with A 2:4 sparse");
  use(kernel_type<sparse_gemm<e5m2, e5m2, bf16>>(), "sparse_gemm_e5m2", "gemm_e5m2 with A 2:4 sparse");
  use(kernel_type<sparse_gemm<s8, s8, s32>>(), "sparse_gemm_s8", "gemm_s8 with A 2:4 sparse");
  use(kernel_type<sparse_gemm<u8, u8, s32>>(), "sparse_gemm_u8", "gemm_u8 with A 2:4 sparse");
}

}  // namespace sectile::tool
