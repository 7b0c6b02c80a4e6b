// Products of groups of rows, each with its own matrix.
#pragma once

#include <sectile/kernels/experts.hpp>
#include <sectile/kernels/grouped_block_scaled.hpp>
#include <sectile/kernels/grouped_gemm.hpp>

#include "tool/kernels/activated.hpp"
#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_grouped(Use use) {
  use(kernel_type<kernels::grouped_gemm_bf16>(), "grouped_gemm_bf16",
      "Y_e = X_e W_e^T for groups e of rows that end where a vector says: bf16, summed in f32, Y in bf16");
  use(kernel_type<kernels::masked_gemm_bf16>(), "masked_gemm_bf16",
      "grouped_gemm_bf16 of groups with a room each, of which as many rows are there as a vector says");
  use(kernel_type<kernels::grouped_inputs_bf16>(), "grouped_inputs_bf16",
      "dX_e = dY_e W_e, gradients of grouped_gemm_bf16's rows: bf16, summed in f32, dX in bf16");
  use(kernel_type<kernels::grouped_weights_bf16>(), "grouped_weights_bf16",
      "dW_e = dY_e^T X_e, gradients of grouped_gemm_bf16's weights: bf16, summed in f32, dW in bf16");
  use(kernel_type<kernels::gated_experts<bf16, kernels::activation::silu>>(), "gated_experts_bf16",
      "H_e = silu(X_e G_e^T) * (X_e U_e^T) for groups e of rows: bf16, summed in f32, H in bf16");
  use(kernel_type<kernels::gathered_experts<bf16, kernels::activation::silu>>(), "gathered_experts_bf16",
      "gated_experts_bf16 of tokens in any order, of which a vector picks one for each row");
  use(kernel_type<kernels::gathered_weights<bf16, bf16>>(), "gathered_weights_bf16",
      "grouped_weights_bf16 of tokens in any order, of which a vector picks one for each row");
  use(kernel_type<kernels::weighted_experts<bf16, bf16>>(), "weighted_experts_bf16",
      "Y_e = weight_e * (H_e W_e^T) for groups e of rows, a weight for each row: bf16, summed in f32, Y in bf16");
  use(kernel_type<kernels::scattered_experts<bf16, bf16>>(), "scattered_experts_bf16",
      "weighted_experts_bf16 back to tokens: each row of Y is the sum of the rows that a vector names, in their order");
  use(kernel_type<kernels::grouped_block_scaled_gemm<e4m3, bf16>>(), "grouped_block_scaled_gemm_e4m3",
      "Y_e = X_e W_e^T for groups e of rows, each 128 of K scaled by rows of X and squares of W: e4m3, f32 scales and "
      "sums, Y in bf16");
  use(kernel_type<kernels::tall_grouped_block_scaled_gemm<e4m3, bf16>>(), "tall_grouped_block_scaled_gemm_e4m3",
      "grouped_block_scaled_gemm_e4m3 in tiles of 256 rows, for large groups");
  use(kernel_type<kernels::masked_block_scaled_gemm<e4m3, bf16>>(), "masked_block_scaled_gemm_e4m3",
      "grouped_block_scaled_gemm_e4m3 of groups with a room each");
}

inline product_formula scaled_in_groups() {
  return {.text = "Y_e = X_e W_e^T * SX * SW by blocks of K",
          .ends = 4,
          .blocks = {
              .along_k = kernels::scaled_block, .of_left = 2, .of_right = 3, .rows_of_right = kernels::scaled_block}};
}
template <class T, class Out, int Columns, int Rows>
formula formula_of(kernel_type<kernels::grouped_block_scaled_gemm<T, Out, Columns, Rows>>) {
  return scaled_in_groups();
}
template <class T, class Out, int Columns>
formula formula_of(kernel_type<kernels::masked_block_scaled_gemm<T, Out, Columns>>) {
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
template <class T, kernels::activation F>
formula formula_of(kernel_type<kernels::gated_experts<T, F>>) {
  return product_formula{
      .text = "H_e = " + activated_text<F>("X_e G_e^T") + " * (X_e U_e^T)",
      .right = {1, 2},
      .ends = 3,
      .after = [](std::span<const double> sums, std::span<const double>) { return activated<F>(sums[0]) * sums[1]; }};
}
template <class T, kernels::activation F>
formula formula_of(kernel_type<kernels::gathered_experts<T, F>>) {
  auto gated = std::get<product_formula>(formula_of(kernel_type<kernels::gated_experts<T, F>>()));
  gated.text += ", rows of X_e picked by token";
  gated.right = {2, 3};
  gated.ends = 4;
  return gated;
}
template <class T, class Out>
formula formula_of(kernel_type<kernels::gathered_weights<T, Out>>) {
  return product_formula{.text = "dW_e = dY_e^T X_e, rows of X_e picked by token", .ends = 3};
}
template <class T, class Out>
formula formula_of(kernel_type<kernels::weighted_experts<T, Out>>) {
  return product_formula{
      .text = "Y_e = weight_e * (H_e W_e^T)",
      .ends = 3,
      .after = [](std::span<const double> sums, std::span<const double> others) { return sums[0] * others[0]; }};
}
template <class T, class Out>
formula formula_of(kernel_type<kernels::scattered_experts<T, Out>>) {
  auto weighted = std::get<product_formula>(formula_of(kernel_type<kernels::weighted_experts<T, Out>>()));
  weighted.text += ", rows of Y_e added up by place";
  weighted.ends = 4;
  return weighted;
}
template <class T, class Out>
formula formula_of(kernel_type<kernels::grouped_inputs<T, Out>>) {
  return product_formula{.text = "dX_e = dY_e W_e", .ends = 2};
}
template <class T, class Out>
formula formula_of(kernel_type<kernels::grouped_weights<T, Out>>) {
  return product_formula{.text = "dW_e = dY_e^T X_e", .ends = 2};
}

}  // namespace sectile::tool
