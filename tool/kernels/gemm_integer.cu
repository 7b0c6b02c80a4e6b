// Products of dense matrices of integers and bits.
#include <sectile/kernels/gemm.hpp>

#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> gemm_integer_kernels() {
  using kernels::gemm, kernels::gemm_form;
  constexpr gemm_form saturating{.saturating = true};
  static const kernel_facts list[] = {
      shipped<gemm<s8, s8, s32>>("gemm_s8", "C = A B^T: s8 matrices, exact modulo 2^32, C in s32"),
      shipped<gemm<u8, u8, s32>>("gemm_u8", "the same for u8"),
      shipped<gemm<s8, u8, s32>>("gemm_s8_u8", "the same for A in s8, B in u8"),
      shipped<gemm<u8, s8, s32>>("gemm_u8_s8", "the same for A in u8, B in s8"),
      shipped<gemm<s8, s8, s32, saturating>>("gemm_s8_saturating", "gemm_s8 with sums clamped instead of wrapped"),
      shipped<gemm<b1x8, b1x8, s32>>("gemm_b1", "C[m,n] = ones that row m of A and row n of B share; b1, C in s32"),
  };
  return list;
}

}  // namespace sectile::tool
