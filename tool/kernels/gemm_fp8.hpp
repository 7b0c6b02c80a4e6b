// Products of dense matrices of 8-bit floats.
#pragma once

#include <sectile/kernels/gemm.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_gemm_fp8(Use use) {
  using kernels::gemm, kernels::gemm_form;
  static constexpr gemm_form rs{.a_in_registers = true};
  use(kernel_type<gemm<e4m3, e4m3, bf16>>(), "gemm_e4m3", "C = A B^T: e4m3 matrices, sums keep 13 bits, C in bf16");
  use(kernel_type<gemm<e5m2, e5m2, bf16>>(), "gemm_e5m2", "gemm_e4m3 for e5m2");
  use(kernel_type<gemm<e4m3, e5m2, bf16>>(), "gemm_e4m3_e5m2", "gemm_e4m3 for A in e4m3, B in e5m2");
  use(kernel_type<gemm<e5m2, e4m3, bf16>>(), "gemm_e5m2_e4m3", "gemm_e4m3 for A in e5m2, B in e4m3");
  use(kernel_type<gemm<e4m3, e4m3, bf16, rs>>(), "gemm_e4m3_rs", "gemm_e4m3 with A multiplied from registers");
}

}  // namespace sectile::tool
