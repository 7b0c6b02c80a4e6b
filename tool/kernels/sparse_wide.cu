// Products of a sparse and a dense matrix of 16-bit floats and tf32.
#include <sectile/kernels/sparse_gemm.hpp>

#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> sparse_wide_kernels() {
  using kernels::sparse_gemm;
  static const kernel_facts list[] = {
      shipped<sparse_gemm<f16, f16, f16>>("sparse_gemm_f16", "gemm_f16 with A 2:4 sparse"),
      shipped<sparse_gemm<bf16, bf16, bf16>>("sparse_gemm_bf16", "gemm_bf16 with A 2:4 sparse"),
      shipped<sparse_gemm<tf32, tf32, float>>("sparse_gemm_tf32", "gemm_tf32 with A 1:2 sparse"),
  };
  return list;
}

}  // namespace sectile::tool
