// Products of dense matrices of 8-bit floats.
#include <sectile/kernels/gemm.hpp>

#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> gemm_fp8_kernels() {
  using kernels::gemm, kernels::gemm_form;
  constexpr gemm_form rs{.a_in_registers = true};
  static const kernel_facts list[] = {
      shipped<gemm<e4m3, e4m3, bf16>>("gemm_e4m3", "C = A B^T: e4m3 matrices, sums keep 13 bits, C in bf16"),
      shipped<gemm<e5m2, e5m2, bf16>>("gemm_e5m2", "the same for e5m2"),
      shipped<gemm<e4m3, e5m2, bf16>>("gemm_e4m3_e5m2", "the same for A in e4m3, B in e5m2"),
      shipped<gemm<e5m2, e4m3, bf16>>("gemm_e5m2_e4m3", "the same for A in e5m2, B in e4m3"),
      shipped<gemm<e4m3, e4m3, bf16, rs>>("gemm_e4m3_rs", "gemm_e4m3 with A multiplied from registers"),
  };
  return list;
}

}  // namespace sectile::tool
