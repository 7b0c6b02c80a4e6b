// What needs no product: softmax and norms of whole rows, a cast, a transpose. A kernel that comes in several
// configurations is here in its first, for rows of any length.
#pragma once

#include <sectile/kernels/rows.hpp>

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
  use(kernel_type<cast_amax<bf16, e4m3>>(), "cast_amax_bf16_e4m3",
      "Y = X * scale in e4m3, and the largest magnitude in X: bf16");
  use(kernel_type<transposed_copy<bf16>>(), "transposed_copy_bf16", "Y = X^T: bf16");
}

constexpr float usual_epsilon = 1e-5F;

template <class T, int I>
formula formula_of(kernel_type<member<kernels::softmax<T>, I>>) {
  return row_formula{.text = "Y = softmax(X) by rows", .of = softmax_of_row};
}

template <class T, int I>
formula formula_of(kernel_type<member<kernels::rms_norm<T>, I>>) {
  return row_formula{
      .text = "Y = X / sqrt(mean(X^2) + epsilon) * gamma by rows", .of = rms_norm_of_row, .numbers = {usual_epsilon}};
}

template <class T, int I>
formula formula_of(kernel_type<member<kernels::layer_norm<T>, I>>) {
  return row_formula{.text = "Y = (X - mean(X)) / sqrt(variance(X) + epsilon) * gamma + beta by rows",
                     .of = layer_norm_of_row,
                     .numbers = {usual_epsilon}};
}

template <class T, class Out>
formula formula_of(kernel_type<kernels::cast_amax<T, Out>>) {
  return product_formula{
      .text = "Y = X * scale",
      .right = {},
      .after = [](std::span<const double>, std::span<const double> x) { return in_range<Out>(x[0] * x[1]); },
      .groups = {{.text = "amax = max(|X|)", .of = largest_magnitude_of, .before = true}}};
}

template <class T>
formula formula_of(kernel_type<kernels::transposed_copy<T>>) {
  return product_formula{.text = "Y = X^T", .right = {}};
}

}  // namespace sectile::tool
