// Layers around a product, and what each of them computes.
#pragma once

#include <sectile/kernels/chained_linear.hpp>
#include <sectile/kernels/group_quantized_linear.hpp>
#include <sectile/kernels/linear.hpp>

#include <string>
#include <type_traits>

#include "tool/kernels/activated.hpp"
#include "tool/kernels/in_range.hpp"
#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_layers(Use use) {
  using namespace kernels;
  use(kernel_type<linear<bf16, activation::gelu>>(), "linear_gelu_bf16",
      "C = gelu(A W^T + bias): bf16, summed in f32, C in bf16");
  use(kernel_type<linear_residual<bf16>>(), "linear_residual_bf16", "C = A W^T + bias + R: bf16, C in bf16");
  use(kernel_type<gated_linear<bf16, activation::silu>>(), "swiglu_bf16",
      "C = silu(A W^T) * (A V^T), element by element: bf16, C in bf16");
  use(kernel_type<scaled_linear<e4m3, bf16>>(), "scaled_linear_e4m3",
      "C = A W^T scaled by row and by column: e4m3 matrices, scales in f32, C in bf16");
  use(kernel_type<scaled_linear<s8, bf16>>(), "scaled_linear_s8", "scaled_linear_e4m3 for s8, with exact sums");
  use(kernel_type<scaled_linear<e4m3, e4m3>>(), "scaled_linear_e4m3_e4m3",
      "scaled_linear_e4m3 with C in e4m3, clamped to its range");
  use(kernel_type<scaled_linear<s8, s8>>(), "scaled_linear_s8_s8",
      "scaled_linear_s8 with C in s8, rounded and clamped to its range");
  use(kernel_type<member<quantized_linear<s8, bf16>, 0>>(), "quantized_linear_s8",
      "C = W A^T scaled by row: W in s8 becomes bf16 on its way to the tensor cores, A and C in bf16");
  use(kernel_type<member<quantized_linear<e4m3, bf16>, 0>>(), "quantized_linear_e4m3",
      "quantized_linear_s8 for weights of e4m3");
  use(kernel_type<member<quantized_linear<s4x2, bf16>, 0>>(), "quantized_linear_s4",
      "quantized_linear_s8 for weights of s4, two to a byte");
  use(kernel_type<member<quantized_linear<shuffled<s4x2>, bf16>, 5>>(), "quantized_linear_s4_shuffled",
      "quantized_linear_s4 for few rows of A, with the columns of W shuffled in memory");
  use(kernel_type<member<group_quantized_linear<s4x2, bf16>, 4>>(), "group_quantized_linear_s4",
      "quantized_linear_s4 with a scale for every 128 of K, for few rows of A, in two parts");
  use(kernel_type<chained_linear<bf16>>(), "chained_linear_bf16",
      "C = (A W^T) V^T: bf16, the first product rounded to bf16 in registers, C in bf16");
  use(kernel_type<scaled_sum<bf16, bf16>>(), "scaled_sum_bf16",
      "C = alpha A W^T + beta R, where C takes the place of R: bf16, summed in f32, C in bf16");
  use(kernel_type<gram<bf16, bf16>>(), "gram_bf16", "C = A A^T: a bf16 matrix, summed in f32, C in bf16");
}

using numbers_here = std::span<const double>;

template <class T, kernels::activation F>
formula formula_of(kernel_type<kernels::linear<T, F>>) {
  return product_formula{
      .text = "C = " + activated_text<F>("A W^T + bias"),
      .after = [](numbers_here sums, numbers_here others) { return activated<F>(sums[0] + others[0]); }};
}

template <class T, kernels::activation F>
formula formula_of(kernel_type<kernels::linear_residual<T, F>>) {
  return product_formula{
      .text = "C = " + activated_text<F>("A W^T + bias") + " + R",
      .after = [](numbers_here sums, numbers_here others) { return activated<F>(sums[0] + others[0]) + others[1]; }};
}

template <class T, kernels::activation F>
formula formula_of(kernel_type<kernels::gated_linear<T, F>>) {
  return product_formula{.text = "C = " + activated_text<F>("A W^T") + " * (A V^T)",
                         .right = {1, 2},
                         .after = [](numbers_here sums, numbers_here) { return activated<F>(sums[0]) * sums[1]; }};
}

template <class T, class Out>
formula formula_of(kernel_type<kernels::scaled_linear<T, Out>>) {
  return product_formula{
      .text = "C = A W^T * of_row * of_col",
      .after = [](numbers_here sums, numbers_here others) { return in_range<Out>(sums[0] * others[0] * others[1]); },
      .of_vectors = std::is_same_v<T, s8> && std::is_same_v<Out, s8> ? 0x1p-6F : 1};
}

template <class Weight, class T, int I>
formula formula_of(kernel_type<member<kernels::quantized_linear<Weight, T>, I>>) {
  return product_formula{.text = "C = W A^T * scale",
                         .after = [](numbers_here sums, numbers_here others) { return sums[0] * others[0]; }};
}

template <class Weight, class T, int Group, int I>
formula formula_of(kernel_type<member<kernels::group_quantized_linear<Weight, T, Group>, I>>) {
  return product_formula{.text = "C = W A^T * scale by groups of K", .blocks = {.along_k = Group, .of_left = 2}};
}

template <class T>
formula formula_of(kernel_type<kernels::chained_linear<T>>) {
  return product_formula{.text = "C = (A W^T) V^T", .next = 2};
}

/// The numbers are none that a kernel gets right by leaving one of them out.
template <class T, class Out>
formula formula_of(kernel_type<kernels::scaled_sum<T, Out>>) {
  return product_formula{.text = "C = alpha A W^T + beta R, in place of R,",
                         .after = [](numbers_here sums, numbers_here x) { return x[1] * sums[0] + x[2] * x[0]; },
                         .numbers = {0.5F, -2},
                         .in_place = 2};
}

template <class T, class Out>
formula formula_of(kernel_type<kernels::gram<T, Out>>) {
  return product_formula{.text = "C = A A^T", .right = {0}};
}

}  // namespace sectile::tool
