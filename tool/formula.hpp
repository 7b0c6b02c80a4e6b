// What kernels compute, as their results are checked: the mathematics, in float64, of the operands' numbers.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tool/reference.hpp"

namespace sectile::tool {

/// Products of the first input with others, and what is done to their sums. A kernel's types and storage orders are not
/// said here: its operands have them.
struct product_formula {
  std::string text = "C = A B^T";
  /// Which inputs the first one is multiplied by, each transposed: one sum for each.
  std::vector<int> right{1};
  /// What is stored of the sums at an element and of what the other inputs have there, in their order; nullptr: the
  /// sum.
  double (*after)(std::span<const double> sums, std::span<const double> others) = nullptr;

  /// Whether it is the product of two matrices and nothing else.
  bool is_gemm() const { return after == nullptr && right == std::vector{1}; }
};

/// softmax(Q K^T / sqrt(D)) V.
struct attention_formula {
  attention_mask mask = attention_mask::none;
};

using formula = std::variant<product_formula, attention_formula>;

}  // namespace sectile::tool
