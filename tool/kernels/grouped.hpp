// Products of groups of rows, each with its own matrix.
#pragma once

#include <sectile/kernels/grouped_block_scaled.hpp>
#include <sectile/kernels/grouped_gemm.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_grouped(Use use) {
  use(kernel_type<kernels::grouped_gemm_bf16>(), "grouped_gemm_bf16",
      "Y_e = X_e W_e^T for groups e of rows that end where a vector says: bf16, summed in f32, Y in bf16");
  use(kernel_type<kernels::masked_gemm_bf16>(), "masked_gemm_bf16",
      "grouped_gemm_bf16 of groups with a room each, of which as many rows are there as a vector says");
  use(kernel_type<kernels::grouped_weights_bf16>(), "grouped_weights_bf16",
      "dW_e = dY_e^T X_e, gradients of grouped_gemm_bf16's weights: bf16, summed in f32, dW in bf16");
  use(kernel_type<kernels::grouped_block_scaled_gemm<e4m3, bf16>>(), "grouped_block_scaled_gemm_e4m3",
      "Y_e = X_e W_e^T for groups e of rows, each 128 of K scaled by rows of X and squares of W: e4m3, f32 scales and "
      "sums, Y in bf16");
  use(kernel_type<kernels::masked_block_scaled_gemm<e4m3, bf16>>(), "masked_block_scaled_gemm_e4m3",
      "grouped_block_scaled_gemm_e4m3 of groups with a room each");
}

inline product_formula scaled_in_groups() {
  return {.text = "Y_e = X_e W_e^T * SX * SW by blocks of K",
          .ends = 4,
          .blocks = {
              .along_k = kernels::scaled_block, .of_left = 2, .of_right = 3, .rows_of_right = kernels::scaled_block}};
}
template <class T, class Out>
formula formula_of(kernel_type<kernels::grouped_block_scaled_gemm<T, Out>>) {
  return scaled_in_groups();
}
template <class T, class Out>
formula formula_of(kernel_type<kernels::masked_block_scaled_gemm<T, Out>>) {
  return scaled_in_groups();
}

template <class T, class Out, cluster_shape Cluster>
formula formula_of(kernel_type<kernels::grouped_gemm<T, Out, Cluster>>) {
  return product_formula{.text = "Y_e = X_e W_e^T", .ends = 2};
}
template <class T, class Out, cluster_shape Cluster>
formula formula_of(kernel_type<kernels::masked_gemm<T, Out, Cluster>>) {
  return product_formula{.text = "Y_e = X_e W_e^T", .ends = 2};
}
template <class T, class Out>
formula formula_of(kernel_type<kernels::grouped_weights<T, Out>>) {
  return product_formula{.text = "dW_e = dY_e^T X_e", .ends = 2};
}

}  // namespace sectile::tool
