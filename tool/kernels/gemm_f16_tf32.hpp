// Products of dense f16 and tf32 matrices.
#pragma once

#include <sectile/kernels/gemm.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_gemm_f16_tf32(Use use) {
  using kernels::gemm, kernels::gemm_form;
  use(kernel_type<gemm<f16, f16, f16>>(), "gemm_f16", "C = A B^T: f16 matrices, summed in f32, C in f16");
  use(kernel_type<gemm<f16, f16, f16, gemm_form{}, f16>>(), "gemm_f16_f16", "gemm_f16 with sums in f16");
  use(kernel_type<gemm<tf32, tf32, float>>(), "gemm_tf32", "C = A B^T: tf32 matrices, summed in f32, C in f32");
}

}  // namespace sectile::tool
