// Products of dense matrices of integers and bits.
#pragma once

#include <sectile/kernels/gemm.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_gemm_integer(Use use) {
  using kernels::gemm, kernels::gemm_form;
  static constexpr gemm_form saturating{.saturating = true};
  use(kernel_type<gemm<s8, s8, s32>>(), "gemm_s8", "C = A B^T: s8 matrices, exact modulo 2^32, C in s32");
  use(kernel_type<gemm<u8, u8, s32>>(), "gemm_u8", "gemm_s8 for u8");
  use(kernel_type<gemm<s8, u8, s32>>(), "gemm_s8_u8", "gemm_s8 for A in s8, B in u8");
  use(kernel_type<gemm<u8, s8, s32>>(), "gemm_u8_s8", "gemm_s8 for A in u8, B in s8");
  use(kernel_type<gemm<s8, s8, s32, saturating>>(), "gemm_s8_saturating",
      "gemm_s8 with sums clamped instead of wrapped");
  use(kernel_type<gemm<b1x8, b1x8, s32>>(), "gemm_b1",
      "C[m,n] = ones that row m of A and row n of B share; b1, C in s32");
}

}  // namespace sectile::tool
