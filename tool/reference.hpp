// What a kernel's result is held against: the same mathematics in float64 on the CPU, and the distance between the two.
#pragma once

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

/// What becomes of an exact sum of integers that has no place in 32 bits.
enum class overflow { wraps, clamps };

/// The same for integers, as a kernel has to give it: exact, modulo 2^32 or, where the sum is clamped after every
/// `step` columns of K, with the clamping done there.
std::vector<double> reference_integer_gemm(std::span<const float> a, std::span<const float> b, gemm_shape shape,
                                           overflow rule, std::int64_t step, progress* tick = nullptr);

enum class attention_mask { none, causal };

/// Batch, heads, sequence length, head dimension; Q, K, V and the result are B x H x S x D in row-major order.
struct attention_shape {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t sequence = 0;
  std::int64_t dimension = 0;
};

/// softmax(Q K^T / sqrt(D)) V for every batch and head, in float64; causal: row i sees columns 0..i.
/// Throws std::invalid_argument where an operand does not hold B * H * S * D elements.
std::vector<double> reference_attention(std::span<const float> q, std::span<const float> k, std::span<const float> v,
                                        attention_shape shape, attention_mask mask, progress* tick = nullptr);
std::int64_t reference_steps(attention_shape shape);

/// How far a result is from its reference.
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
