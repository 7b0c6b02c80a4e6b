// The product of dense bf16 matrices that ./run.sh starts with, and its other forms: every storage order.
#pragma once

#include <sectile/kernels/gemm.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_gemm_bf16(Use use) {
  use(kernel_type<kernels::gemm_bf16>(), "gemm_bf16", "C = A B^T: bf16 matrices, summed in f32, C in bf16");
}

template <class Use>
void each_of_gemm_bf16_forms(Use use) {
  using kernels::gemm, kernels::gemm_form;
  static constexpr gemm_form nn{.a = col_major}, nt{.a = col_major, .b = col_major}, tt{.b = col_major};
  static constexpr gemm_form blas{.a = col_major, .c = col_major}, rs{.a_in_registers = true};
  use(kernel_type<kernels::gemm_bf16_f32>(), "gemm_bf16_f32", "gemm_bf16 with C in f32");
  use(kernel_type<gemm<bf16, bf16, bf16, nn>>(), "gemm_bf16_nn", "gemm_bf16 with A stored by columns (M contiguous)");
  use(kernel_type<gemm<bf16, bf16, bf16, nt>>(), "gemm_bf16_nt",
      "gemm_bf16 with A and B stored by columns (M, N contiguous)");
  use(kernel_type<gemm<bf16, bf16, bf16, tt>>(), "gemm_bf16_tt", "gemm_bf16 with B stored by columns (N contiguous)");
  use(kernel_type<gemm<bf16, bf16, bf16, blas>>(), "gemm_bf16_blas",
      "gemm_bf16 with all matrices stored by columns, as BLAS has them: A, B^T and C");
  use(kernel_type<kernels::gemm_bf16_split>(), "gemm_bf16_split",
      "gemm_bf16 for few tiles and long sums: four CTAs make a part of each");
  use(kernel_type<gemm<bf16, bf16, bf16, rs>>(), "gemm_bf16_rs", "gemm_bf16 with A multiplied from registers");
}

}  // namespace sectile::tool
