// Products of 8-bit floats with scales for every 128 of K.
#pragma once

#include <sectile/kernels/block_scaled_gemm.hpp>
#include <type_traits>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_block_scaled(Use use) {
  using kernels::block_scaled_gemm, kernels::scaled_part;
  use(kernel_type<block_scaled_gemm<e4m3, bf16>>(), "block_scaled_gemm_e4m3",
      "C = A B^T, each 128 of K scaled by rows of A and squares of B: e4m3, f32 scales and sums, C in bf16");
  use(kernel_type<block_scaled_gemm<e4m3, bf16, scaled_part::square, u8>>(), "block_scaled_gemm_e4m3_e8m0",
      "block_scaled_gemm_e4m3 with powers of two for scales, their exponents in u8");
  use(kernel_type<block_scaled_gemm<e4m3, bf16, scaled_part::row>>(), "block_scaled_gemm_e4m3_rows",
      "block_scaled_gemm_e4m3 with a scale for each row of B");
}

template <class T, class Out, kernels::scaled_part OfB, class Scale, int Columns>
formula formula_of(kernel_type<kernels::block_scaled_gemm<T, Out, OfB, Scale, Columns>>) {
  constexpr bool squares = OfB == kernels::scaled_part::square, exponents = std::is_same_v<Scale, u8>;
  return product_formula{.text = exponents ? "C = A B^T * 2^(SA - 127) * 2^(SB - 127) by blocks of K"
                                           : "C = A B^T * SA * SB by blocks of K",
                         .blocks = {.along_k = kernels::scaled_block,
                                    .of_left = 2,
                                    .of_right = 3,
                                    .rows_of_right = squares ? kernels::scaled_block : 1,
                                    .exponents = exponents}};
}

}  // namespace sectile::tool
