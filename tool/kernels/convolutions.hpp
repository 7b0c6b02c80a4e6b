// Convolutions of images.
#pragma once

#include <sectile/kernels/convolution.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

template <class Use>
void each_of_convolutions(Use use) {
  use(kernel_type<kernels::convolution<bf16, bf16>>(), "convolution_bf16",
      "Y = X * W, images X (N x H x W x C) and filters W (places x K x C): bf16, summed in f32, Y in bf16");
  use(kernel_type<kernels::convolution<e4m3, bf16>>(), "convolution_e4m3", "convolution_bf16 of 8-bit floats (e4m3)");
}

template <class In, class Out>
formula formula_of(kernel_type<kernels::convolution<In, Out>>) {
  return product_formula{.text = "Y = X * W"};
}

}  // namespace sectile::tool
