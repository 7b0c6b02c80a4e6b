// What needs no product: softmax and norms of whole rows, a cast, a transpose. A kernel that comes in several
// configurations is here in its first, for rows of any length, or in one that has a row in a tile.
#pragma once

#include <algorithm>
#include <cmath>
#include <sectile/kernels/long_rows.hpp>

#include "tool/kernels/in_range.hpp"
#include "tool/kernels/kernel_type.hpp"
#include "tool/row_functions.hpp"

namespace sectile::tool {

template <class Use>
void each_of_rows(Use use) {
  using namespace kernels;
  use(kernel_type<member<softmax<bf16>, 0>>(), "softmax_bf16",
      "Y = exp(X) / the sum of it along each row: bf16, computed in f32");
  use(kernel_type<member<rms_norm<bf16>, 0>>(), "rms_norm_bf16",
      "Y = X / sqrt(mean of X^2 along each row + epsilon) * gamma: bf16, computed in f32");
  use(kernel_type<member<layer_norm<bf16>, 0>>(), "layer_norm_bf16",
      "Y = (X - mean) / sqrt(variance + epsilon) * gamma + beta, both along each row: bf16, computed in f32");
  use(kernel_type<member<long_softmax<bf16>, 0>>(), "long_softmax_bf16",
      "Y = exp(X) / the sum of it along each row, which comes in parts: bf16, computed in f32");
  use(kernel_type<member<long_rms_norm<bf16>, 1>>(), "long_rms_norm_bf16",
      "Y = X / sqrt(mean of X^2 along each row + epsilon) * gamma, a row in a tile, gamma loaded once: bf16");
  use(kernel_type<member<long_layer_norm<bf16>, 2>>(), "long_layer_norm_bf16",
      "Y = (X - mean) / sqrt(variance + epsilon) * gamma + beta, a row in a tile: bf16, computed in f32");
  use(kernel_type<cast_amax<bf16, e4m3>>(), "cast_amax_bf16_e4m3",
      "Y = X * scale in e4m3, and the largest magnitude in X: bf16");
  use(kernel_type<quantized_blocks<bf16, e4m3>>(), "quantized_blocks_bf16_e4m3",
      "Q = X / S in e4m3, and S(KB,M), a scale for each row of each 128 columns: bf16, S in f32");
  use(kernel_type<transposed_copy<bf16>>(), "transposed_copy_bf16", "Y = X^T: bf16");
}

constexpr float usual_epsilon = 1e-5F;

inline row_formula softmax_by_rows() { return {.text = "Y = softmax(X) by rows", .of = softmax_of_row}; }
inline row_formula rms_norm_by_rows() {
  return {
      .text = "Y = X / sqrt(mean(X^2) + epsilon) * gamma by rows", .of = rms_norm_of_row, .numbers = {usual_epsilon}};
}
inline row_formula layer_norm_by_rows() {
  return {.text = "Y = (X - mean(X)) / sqrt(variance(X) + epsilon) * gamma + beta by rows",
          .of = layer_norm_of_row,
          .numbers = {usual_epsilon}};
}

template <class T, int I>
formula formula_of(kernel_type<member<kernels::softmax<T>, I>>) {
  return softmax_by_rows();
}
template <class T, int I>
formula formula_of(kernel_type<member<kernels::long_softmax<T>, I>>) {
  return softmax_by_rows();
}
template <class T, int I>
formula formula_of(kernel_type<member<kernels::rms_norm<T>, I>>) {
  return rms_norm_by_rows();
}
template <class T, int I>
formula formula_of(kernel_type<member<kernels::long_rms_norm<T>, I>>) {
  return rms_norm_by_rows();
}
template <class T, int I>
formula formula_of(kernel_type<member<kernels::layer_norm<T>, I>>) {
  return layer_norm_by_rows();
}
template <class T, int I>
formula formula_of(kernel_type<member<kernels::long_layer_norm<T>, I>>) {
  return layer_norm_by_rows();
}

template <class T, class Out>
formula formula_of(kernel_type<kernels::cast_amax<T, Out>>) {
  return product_formula{
      .text = "Y = X * scale",
      .right = {},
      .after = [](std::span<const double>, std::span<const double> x) { return in_range<Out>(x[0] * x[1]); },
      .groups = {{.text = "amax = max(|X|)", .of = largest_magnitude_of, .before = true}}};
}

/// What rows of a block are divided by.
template <class Out>
approximate scale_of_block(std::span<const approximate> x) {
  constexpr double least = 0x1p-126;
  const double scale = std::max(largest_magnitude_of(x).value / in_range<Out>(1e9), least);
  return {scale, scale * 0x1p-24};
}
template <class Out>
void quantized_row(const row_view& row, std::span<approximate> y) {
  for (std::size_t from = 0; from < y.size(); from += static_cast<std::size_t>(row.tile)) {
    std::vector<approximate> block;
    for (std::size_t i = from; i < std::min(from + static_cast<std::size_t>(row.tile), y.size()); ++i)
      block.push_back({row.x[i]});
    const double scale = scale_of_block<Out>(block).value;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const double q = block[i].value / scale;
      y[from + i] = {in_range<Out>(q), std::fabs(q) * 0x1p-22};  // the scale, its reciprocal and a product are rounded
    }
  }
}

template <class T, class Out>
formula formula_of(kernel_type<kernels::quantized_blocks<T, Out>>) {
  return row_formula{
      .text = "Q = X / S by rows",
      .of = quantized_row<Out>,
      .groups = {{.text = "S = max(|X|) / the largest of Q's type by rows of blocks", .of = scale_of_block<Out>}}};
}

template <class T>
formula formula_of(kernel_type<kernels::transposed_copy<T>>) {
  return product_formula{.text = "Y = X^T", .right = {}};
}

}  // namespace sectile::tool
