// Layers that leave more than a matrix, and what each of their outputs is.
#pragma once

#include <sectile/kernels/linear_outputs.hpp>

#include "tool/kernels/activated.hpp"
#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_layer_outputs(Use use) {
  using namespace kernels;
  use(kernel_type<linear_gelu_aux<bf16>>(), "linear_gelu_aux_bf16",
      "Z = A W^T + bias and C = gelu(Z), both stored: bf16, summed in f32, Z and C in bf16");
  use(kernel_type<relu_gradient<bf16>>(), "relu_gradient_bf16",
      "D = A W where Z > 0, else 0, and the sums of its columns: bf16, sums in f32, D in bf16");
  use(kernel_type<linear_amax<e4m3, bf16>>(), "linear_amax_e4m3",
      "C = A W^T * scale, and the largest magnitude in it: e4m3 matrices, C in bf16");
  use(kernel_type<linear_cross_entropy<bf16>>(), "linear_cross_entropy_bf16",
      "C = A W^T, and what the cross entropy of its rows needs of each tile of N: bf16, C in bf16");
}

template <class T>
formula formula_of(kernel_type<kernels::linear_gelu_aux<T>>) {
  constexpr auto gelu = activated<kernels::activation::gelu>;
  return product_formula{
      .text = "Z = A W^T + bias",
      .after = [](std::span<const double> sums, std::span<const double> others) { return sums[0] + others[0]; },
      .further = {{"C = gelu(Z)", [](std::span<const double> sums, std::span<const double> others) {
                     return gelu(sums[0] + others[0]);
                   }}}};
}

template <class T>
formula formula_of(kernel_type<kernels::relu_gradient<T>>) {
  return product_formula{
      .text = "D = A W where Z > 0, else 0",
      .after = [](std::span<const double> sums, std::span<const double> others) { return others[0] > 0 ? sums[0] : 0; },
      .groups = {{"of_bias = sums of D's columns", sum_of}}};
}

template <class T, class Out>
formula formula_of(kernel_type<kernels::linear_amax<T, Out>>) {
  return product_formula{
      .text = "C = A W^T * scale",
      .after = [](std::span<const double> sums, std::span<const double> others) { return sums[0] * others[0]; },
      .groups = {{"amax = max(|C|)", largest_magnitude_of}}};
}

template <class T>
formula formula_of(kernel_type<kernels::linear_cross_entropy<T>>) {
  return product_formula{.text = "C = A W^T",
                         .groups = {{"most = max(C) by rows and tiles of N", most_of},
                                    {"sums = the sums of exp(C - most)", exponentials_of}}};
}

}  // namespace sectile::tool
