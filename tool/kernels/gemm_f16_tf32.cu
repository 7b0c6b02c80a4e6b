// Products of dense f16 and tf32 matrices.
#include <sectile/kernels/gemm.hpp>

#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> gemm_f16_tf32_kernels() {
  using kernels::gemm, kernels::gemm_form;
  static const kernel_facts list[] = {
      shipped<gemm<f16, f16, f16>>("gemm_f16", "C = A B^T: f16 matrices, summed in f32, C in f16"),
      shipped<gemm<f16, f16, f16, gemm_form{}, f16>>("gemm_f16_f16", "the same, summed in f16"),
      shipped<gemm<tf32, tf32, float>>("gemm_tf32", "C = A B^T: tf32 matrices, summed in f32, C in f32"),
  };
  return list;
}

}  // namespace sectile::tool
