// What kernels compute, as their results are checked: the mathematics, in float64, of the operands' numbers.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tool/approximate.hpp"
#include "tool/reference.hpp"

namespace sectile::tool {

/// What is made of the elements of a product in groups: one number of each. The modes of the output that takes it say
/// which elements are together. One with mode N has a number for each column, one without modes a number for all of
/// them; a mode that counts tiles keeps the tiles apart.
struct group_formula {
  std::string text;  // "amax = max(|C|)"
  approximate (*of)(std::span<const approximate> elements) = nullptr;
};

/// Products of the first input with others, and what is done to their sums. A kernel's types and storage orders are not
/// said here: its operands have them.
struct product_formula {
  std::string text = "C = A B^T";
  /// Which inputs the first one is multiplied by: one sum for each. They meet along the mode that the output lacks.
  std::vector<int> right{1};
  /// Which input the first sum is multiplied by in turn, rounded to that one's type; 0: none.
  int next = 0;
  /// What is stored of the sums at an element and of what the other inputs have there, in their order; nullptr: the
  /// sum.
  double (*after)(std::span<const double> sums, std::span<const double> others) = nullptr;
  /// What random vectors are multiplied by, a power of two, for results that have a place in the output's type.
  float of_vectors = 1;
  /// One for each output behind the first, made of what the first stores before that is rounded to its type.
  std::vector<group_formula> groups{};

  /// Whether the sums of products of inputs are stored as they are, and nothing else.
  bool is_plain() const { return next == 0 && after == nullptr && groups.empty(); }
  /// Whether it is the product of two matrices and nothing else.
  bool is_gemm() const { return is_plain() && right == std::vector{1}; }
};

/// softmax(Q K^T / sqrt(D)) V.
struct attention_formula {
  attention_mask mask = attention_mask::none;
};

using formula = std::variant<product_formula, attention_formula>;

}  // namespace sectile::tool
