// What kernels compute, as their results are checked: the mathematics, in float64, of the operands' numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tool/approximate.hpp"
#include "tool/reference.hpp"

namespace sectile::tool {

/// What is stored at an element of the sums there and of what else there is: the inputs that no product takes in their
/// order, then the kernel's numbers.
using element_function = double (*)(std::span<const double> sums, std::span<const double> others);

/// A matrix behind the first output, made of the same sums.
struct matrix_formula {
  std::string text;  // "C = gelu(Z)"
  element_function after = nullptr;
};

/// What is made of the elements of a matrix in groups: one number of each. The modes of the output that takes it say
/// which elements are together. One with mode N has a number for each column, one without modes a number for all of
/// them; a mode that counts tiles keeps the tiles apart.
struct group_formula {
  std::string text;  // "amax = max(|C|)"
  approximate (*of)(std::span<const approximate> elements) = nullptr;
  bool before = false;  // of the elements before anything is done to them, not of those that the first output stores
};

/// Sums of blocks of so many along what is summed over, each times its scales: inputs with one for each block and each
/// row of the first factor, and for each block and some rows of the second, if these have scales.
struct block_formula {
  int along_k = 0;  // 0: sums have no scales
  int of_left = 0, of_right = 0;  // which inputs; 0: none
  int rows_of_right = 1;   // that have one scale
  bool exponents = false;  // a scale is a power of two, given as its exponent plus 127
};

/// Products of the first input with others, and what is done to their sums; or, without any product, what is done to
/// the elements of inputs. A kernel's types and storage orders are not said here: its operands have them.
struct product_formula {
  std::string text = "C = A B^T";
  /// Which inputs the first one is multiplied by: one sum for each. They meet along the mode that the output lacks.
  std::vector<int> right{1};
  /// Which input the first sum is multiplied by in turn, rounded to that one's type; 0: none.
  int next = 0;
  /// Which input says where groups of the first input's rows end, or how many rows they have, each of which has a
  /// product of its own; 0: none.
  int ends = 0;
  block_formula blocks{};
  /// nullptr: the sum is stored as it is; without a product the first input.
  element_function after = nullptr;
  /// What random vectors are multiplied by, a power of two, for results that have a place in the output's type.
  float of_vectors = 1;
  /// One for each further matrix, then one for each output behind those, made of what the first stores before that is
  /// rounded to its type.
  std::vector<matrix_formula> further{};
  std::vector<group_formula> groups{};
  /// One for each number that the kernel takes: what it is unless someone says otherwise.
  std::vector<float> numbers{};
  /// Which input lies where the first output goes; 0: none, every output has memory of its own.
  int in_place = 0;

  bool multiplies() const { return !right.empty(); }
  /// Whether the sums of products of inputs are stored as they are, and nothing else.
  bool is_plain() const {
    return multiplies() && next == 0 && blocks.along_k == 0 && after == nullptr && further.empty() && groups.empty();
  }
  /// Whether it is the product of two matrices and nothing else.
  bool is_gemm() const { return is_plain() && right == std::vector{1} && ends == 0; }
};

/// A row of the first input, and what the kernel has besides.
struct row_view {
  std::span<const float> x;
  std::vector<std::span<const float>> beside;  // the other inputs, which go along the row
  std::span<const float> numbers;
  std::int64_t tile = 0;  // the kernel goes along the row by so many columns at a time
};

/// What becomes of each row by itself.
struct row_formula {
  std::string text;
  void (*of)(const row_view& row, std::span<approximate> y) = nullptr;
  std::vector<float> numbers{};         // as of a product_formula,
  std::vector<group_formula> groups{};  // and so are these, of the first input's elements
};

/// softmax(Q K^T / sqrt(D)) V; the same of as many keys as a vector says; or what its gradients are
/// made of: numbers of rows; dK and dV; dQ.
enum class attention_pass { forward, counted, row_numbers, keys, queries };

/// The inputs of the forward pass are Q, K, V and, if it has them, a sink and a slope for each head; of the gradients'
/// kernels Q, K, V, dO, offset, delta and the slopes; of the one of row numbers O, dO and lse. Of counted keys they
/// are Q, K, V and how many keys each sequence has. Latent ones go on in other operands, Q, R, L, K, and L are the
/// values as well. The numbers are the scale, which follows from the sizes, then the window's left and right end and
/// the cap.
struct attention_formula {
  attention_pass pass = attention_pass::forward;
  bool causal = false;    // a row sees no key behind its own
  bool windowed = false;  // and none further before it than the window's left end; behind it, unless causal, its right
  bool from_end = false;  // the last row's own key is the last one
  bool sinks = false, capped = false, slopes = false;
  bool scaled = false;  // heads of keys have scales: the first vector those of scores, the last those of values
  int latent = 0;       // rows of queries and of keys have so many columns, and others in an operand each
  bool varlen = false;  // sequences follow each other: two inputs, before sinks and slopes, say where they end
  std::vector<float> numbers{};  // behind the scale, as of a product_formula
  friend bool operator==(const attention_formula&, const attention_formula&) = default;
};

using formula = std::variant<product_formula, row_formula, attention_formula>;

}  // namespace sectile::tool
