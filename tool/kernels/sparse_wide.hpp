// Products of a sparse and a dense matrix of 16-bit floats and tf32.
#pragma once

#include <sectile/kernels/sparse_gemm.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_sparse_wide(Use use) {
  using kernels::sparse_gemm;
  use(kernel_type<sparse_gemm<f16, f16, f16>>(), "sparse_gemm_f16", "gemm_f16 with A 2:4 sparse");
  use(kernel_type<sparse_gemm<bf16, bf16, bf16>>(), "sparse_gemm_bf16", "gemm_bf16 with A 2:4 sparse");
  use(kernel_type<sparse_gemm<tf32, tf32, float>>(), "sparse_gemm_tf32", "gemm_tf32 with A 1:2 sparse");
}

}  // namespace sectile::tool
