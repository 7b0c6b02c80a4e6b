// What a kernel's result is held against: the same mathematics in float64 on the CPU, and the distance between the two.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tool/progress.hpp"

namespace sectile::tool {

/// M x N x K of C = A B^T, with A of M x K, B of N x K and C of M x N elements, all in row-major order.
struct gemm_shape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// C = A B^T with float64 sums. Products of floats are exact in float64, so each element is right to about K * 1e-16
/// of the sum of magnitudes. Throws std::invalid_argument where a, b do not hold M * K and N * K elements.
/// `tick` counts finished blocks of rows, of which there are reference_steps(shape).
std::vector<double> reference_gemm(std::span<const float> a, std::span<const float> b, gemm_shape shape,
                                   progress* tick = nullptr);
std::int64_t reference_steps(gemm_shape shape);

/// Scales of the rows of a and of b in each block of so many along K: of row i in block l scale l * M + i, l * N + j.
struct block_scales {
  std::int64_t along_k = 0;
  std::vector<double> of_a, of_b;
};
/// C = the sum over blocks of their A B^T, each element times its row's scale of a and of b. Throws as reference_gemm()
/// does.
std::vector<double> reference_scaled_gemm(std::span<const float> a, std::span<const float> b, gemm_shape shape,
                                          const block_scales& scales, progress* tick = nullptr);

/// What becomes of an exact sum of integers that has no place in 32 bits.
enum class overflow { wraps, clamps };

/// The same for integers, as a kernel has to give it: exact, modulo 2^32 or, where the sum is clamped after every
/// `step` columns of K, with the clamping done there.
std::vector<double> reference_integer_gemm(std::span<const float> a, std::span<const float> b, gemm_shape shape,
                                           overflow rule, std::int64_t step, progress* tick = nullptr);

/// Batch, query heads, sequence length, head dimension; Q is B x H x S x D in row-major order. Keys may be more or
/// fewer than queries, values narrower than keys, and heads of keys fewer than heads of queries: K is B x G x T x D, V
/// B x G x T x E, and the result B x H x S x E; query head h has the keys of head h / (H / G).
struct attention_shape {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t queries = 0;
  std::int64_t dimension = 0;
  std::int64_t keys = queries;
  std::int64_t values = dimension;
  std::int64_t key_heads = heads;
};

/// Which keys a query has, and what becomes of its scores q k / sqrt(D). Query i's own key is key i or, from the end,
/// key i + T - S.
struct attention_rules {
  static constexpr std::int64_t all = std::int64_t{1} << 40;
  std::int64_t left = all, right = all;  // keys before and behind its own that a query sees
  bool from_end = false;
  double cap = 0;                      // cap tanh(score / cap), unless it is 0
  std::span<const float> slopes = {};  // one for each query head: off the score times the distance to the own key
  std::span<const float> sinks = {};   // one for each query head: a score more in the sum, without a value

  bool hides() const { return left < all || right < all; }
  std::int64_t own_key(const attention_shape& shape, std::int64_t query) const {
    return from_end ? query + shape.keys - shape.queries : query;
  }
  /// The keys that a query sees are first_key() .. end_of_keys() - 1: none if that is not behind the first.
  std::int64_t first_key(const attention_shape& shape, std::int64_t query) const {
    return std::max<std::int64_t>(own_key(shape, query) - left, 0);
  }
  std::int64_t end_of_keys(const attention_shape& shape, std::int64_t query) const {
    return std::min(own_key(shape, query) + right + 1, shape.keys);
  }
};

/// softmax(Q K^T / sqrt(D)) V for every batch and head, and of each row the natural logarithm of its sum of
/// exponentials, B x H x S. A row that sees nothing is 0, its logarithm -infinity.
struct attention_result {
  std::vector<double> rows;
  std::vector<double> log_sums;
};
/// The same in float64. Throws std::invalid_argument where an operand does not hold as many elements as the shape says.
attention_result reference_attention(std::span<const float> q, std::span<const float> k, std::span<const float> v,
                                     attention_shape shape, const attention_rules& rules = {},
                                     progress* tick = nullptr);
std::int64_t reference_steps(attention_shape shape);

/// What attention's gradients are made of besides Q, K and V: dO, B x H x S x D, and two numbers of each row, B x H x
/// S. Its probabilities are P = exp2(log2(e) score + offset), and their scores have the gradient P * (dO V^T - delta).
struct attention_row_gradients {
  std::span<const float> of_rows, offset, delta;
};
/// dK and dV, B x G x T x D, in float64. Values are as wide as keys. Throws as reference_attention() does.
struct attention_key_gradients {
  std::vector<double> keys, values;
};
attention_key_gradients reference_key_gradients(std::span<const float> q, std::span<const float> k,
                                                std::span<const float> v, const attention_row_gradients& given,
                                                attention_shape shape, const attention_rules& rules = {},
                                                progress* tick = nullptr);
/// dQ, B x H x S x D, likewise.
std::vector<double> reference_query_gradients(std::span<const float> q, std::span<const float> k,
                                              std::span<const float> v, const attention_row_gradients& given,
                                              attention_shape shape, const attention_rules& rules = {},
                                              progress* tick = nullptr);

/// How far a result is from its reference. Where both are -infinity, as logarithms of nothing are, there is no error.
struct error_report {
  double relative_l2 = 0;         // |result - reference| / |reference|, Euclidean norms
  double max_abs = 0;             // the largest |result[i] - reference[i]|
  std::int64_t worst_index = -1;  // where that is, or the first element that is not finite; -1 where all are equal
  bool finite = true;             // false: an element is infinite or NaN, and both errors are infinite
};

/// Whether a result may be this far from its reference: by a relative L2 error of up to `bar`; for 0, not at all.
constexpr bool is_within(const error_report& error, double bar) {
  return error.finite && (bar == 0 ? error.worst_index < 0 : error.relative_l2 <= bar);
}

/// Throws std::invalid_argument where the two differ in size.
error_report compare(std::span<const float> result, std::span<const double> reference);
error_report compare(std::span<const double> result, std::span<const double> reference);

}  // namespace sectile::tool
