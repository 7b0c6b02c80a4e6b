// Activations as formulas have them.
#pragma once

#include <sectile/kernels/linear.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace sectile::tool {

/// In float64.
template <kernels::activation F>
double activated(double x) {
  using kernels::activation;
  if constexpr (F == activation::relu)
    return x > 0 ? x : 0;
  else if constexpr (F == activation::gelu)
    return x * std::erfc(-x * std::numbers::sqrt2 / 2) / 2;
  else if constexpr (F == activation::gelu_tanh)
    return x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))) / 2;
  else if constexpr (F == activation::silu)
    return x / (1 + std::exp(-x));
  else
    return x;
}

/// "gelu(A W^T)"
template <kernels::activation F>
std::string activated_text(const std::string& x) {
  constexpr const char* names[] = {"", "relu", "gelu", "gelu_tanh", "silu"};
  return F == kernels::activation::none ? x : names[static_cast<int>(F)] + ("(" + x + ")");
}

}  // namespace sectile::tool
