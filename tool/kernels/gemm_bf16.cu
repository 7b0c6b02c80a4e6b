// Products of dense bf16 matrices, in every storage order.
#include <sectile/kernels/gemm.hpp>

#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> gemm_bf16_kernels() {
  using kernels::gemm, kernels::gemm_form;
  constexpr gemm_form nn{.a = col_major}, nt{.a = col_major, .b = col_major}, tt{.b = col_major};
  constexpr gemm_form rs{.a_in_registers = true};
  static const kernel_facts list[] = {
      shipped<kernels::gemm_bf16>("gemm_bf16", "C = A B^T: bf16 matrices, summed in f32, C in bf16"),
      shipped<kernels::gemm_bf16_f32>("gemm_bf16_f32", "the same, C in f32"),
      shipped<gemm<bf16, bf16, bf16, nn>>("gemm_bf16_nn", "gemm_bf16 with A stored by columns (M contiguous)"),
      shipped<gemm<bf16, bf16, bf16, nt>>("gemm_bf16_nt", "gemm_bf16 with A and B stored by columns (M, N contiguous)"),
      shipped<gemm<bf16, bf16, bf16, tt>>("gemm_bf16_tt", "gemm_bf16 with B stored by columns (N contiguous)"),
      shipped<gemm<bf16, bf16, bf16, rs>>("gemm_bf16_rs", "gemm_bf16 with A multiplied from registers"),
  };
  return list;
}

}  // namespace sectile::tool
