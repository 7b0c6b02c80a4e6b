#include "tool/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string_view>

#include "tool/parallel.hpp"

namespace sectile::tool {
namespace {

// The usual three levels: panels of both operands are copied so that the innermost loop reads them in order, and a
// micro_m x micro_n block of C stays in registers while it runs over a panel of K.
constexpr std::int64_t micro_m = 4;
constexpr std::int64_t micro_n = 4;
constexpr std::int64_t block_m = 32;
constexpr std::int64_t block_n = 64;
constexpr std::int64_t block_k = 256;

/// Element (i, j) is data[i * row + j * column].
template <class T>
struct strided {
  const T* data;
  std::int64_t row;
  std::int64_t column;
};

/// Copies rows [0, rows) and columns [0, columns) of `from` as panels of `Width` rows: to[panel][column][row in panel].
/// Rows beyond the last are zero.
template <std::int64_t Width, class T>
void pack(strided<T> from, std::int64_t rows, std::int64_t columns, double* to) {
  for (std::int64_t panel = 0; panel < rows; panel += Width) {
    for (std::int64_t r = 0; r < Width; ++r) {
      const T* const source = from.data + (panel + r) * from.row;
      for (std::int64_t c = 0; c < columns; ++c) {
        to[c * Width + r] = panel + r < rows ? static_cast<double>(source[c * from.column]) : 0.0;
      }
    }
    to += columns * Width;
  }
}

using micro_block = std::array<std::array<double, micro_n>, micro_m>;

micro_block micro_product(const double* a, const double* b, std::int64_t depth) {
  micro_block c{};
  for (std::int64_t k = 0; k < depth; ++k, a += micro_m, b += micro_n) {
    for (std::size_t i = 0; i < micro_m; ++i) {
      for (std::size_t j = 0; j < micro_n; ++j) c[i][j] += a[i] * b[j];
    }
  }
  return c;
}

/// c += a b^T for up to block_m rows of a and any number of rows of b; c has row stride `stride`.
template <class A, class B>
void multiply_rows(strided<A> a, std::int64_t m, strided<B> b, std::int64_t n, std::int64_t k, double* c,
                   std::int64_t stride) {
  std::array<double, block_m * block_k> packed_a;
  std::array<double, block_n * block_k> packed_b;
  for (std::int64_t k0 = 0; k0 < k; k0 += block_k) {
    const std::int64_t depth = std::min(block_k, k - k0);
    pack<micro_m>(strided<A>{a.data + k0 * a.column, a.row, a.column}, m, depth, packed_a.data());
    for (std::int64_t n0 = 0; n0 < n; n0 += block_n) {
      const std::int64_t width = std::min(block_n, n - n0);
      pack<micro_n>(strided<B>{b.data + n0 * b.row + k0 * b.column, b.row, b.column}, width, depth, packed_b.data());
      for (std::int64_t i0 = 0; i0 < m; i0 += micro_m) {
        for (std::int64_t j0 = 0; j0 < width; j0 += micro_n) {
          const micro_block sum = micro_product(packed_a.data() + i0 * depth, packed_b.data() + j0 * depth, depth);
          for (std::int64_t i = 0; i < std::min(micro_m, m - i0); ++i) {
            for (std::int64_t j = 0; j < std::min(micro_n, width - j0); ++j) {
              c[(i0 + i) * stride + n0 + j0 + j] += sum[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
            }
          }
        }
      }
    }
  }
}

void require_size(std::string_view operand, std::size_t size, std::int64_t expected) {
  if (static_cast<std::int64_t>(size) != expected) {
    throw std::invalid_argument(fmt::format("{} holds {} elements; its shape has {}", operand, size, expected));
  }
}

std::int64_t row_blocks(std::int64_t rows) { return (rows + block_m - 1) / block_m; }

/// Turns `columns` scores of a row into probabilities, beside a score that has no value (-infinity: none); returns the
/// logarithm of the sum of exponentials. Of no scores at all there is nothing to turn.
double softmax(double* row, std::int64_t columns, double sink) {
  double largest = sink;
  for (std::int64_t j = 0; j < columns; ++j) largest = std::max(largest, row[j]);
  if (largest == -std::numeric_limits<double>::infinity()) return largest;
  double sum = std::exp(sink - largest);
  for (std::int64_t j = 0; j < columns; ++j) sum += row[j] = std::exp(row[j] - largest);
  for (std::int64_t j = 0; j < columns; ++j) row[j] /= sum;
  return largest + std::log(sum);
}

}  // namespace

std::int64_t reference_steps(gemm_shape shape) { return row_blocks(shape.m); }

std::vector<double> reference_gemm(std::span<const float> a, std::span<const float> b, gemm_shape shape,
                                   progress* tick) {
  require_size("A", a.size(), shape.m * shape.k);
  require_size("B", b.size(), shape.n * shape.k);
  std::vector<double> c(static_cast<std::size_t>(shape.m * shape.n), 0.0);
  parallel_for(row_blocks(shape.m), [&](std::int64_t block) {
    const std::int64_t row = block * block_m;
    multiply_rows(strided<float>{a.data() + row * shape.k, shape.k, 1}, std::min(block_m, shape.m - row),
                  strided<float>{b.data(), shape.k, 1}, shape.n, shape.k, c.data() + row * shape.n, shape.n);
    if (tick != nullptr) tick->add();
  });
  return c;
}

std::vector<double> reference_scaled_gemm(std::span<const float> a, std::span<const float> b, gemm_shape shape,
                                          const block_scales& scales, progress* tick) {
  const std::int64_t blocks = (shape.k + scales.along_k - 1) / scales.along_k;
  require_size("A", a.size(), shape.m * shape.k);
  require_size("B", b.size(), shape.n * shape.k);
  require_size("A's scales", scales.of_a.size(), shape.m * blocks);
  require_size("B's scales", scales.of_b.size(), shape.n * blocks);
  std::vector<double> c(static_cast<std::size_t>(shape.m * shape.n), 0.0);
  parallel_for(row_blocks(shape.m), [&](std::int64_t block) {
    const std::int64_t row = block * block_m, rows = std::min(block_m, shape.m - row);
    std::vector<double> part(static_cast<std::size_t>(rows * shape.n));
    for (std::int64_t l = 0; l < blocks; ++l) {
      const std::int64_t k = l * scales.along_k;
      std::ranges::fill(part, 0.0);
      multiply_rows(strided<float>{a.data() + row * shape.k + k, shape.k, 1}, rows,
                    strided<float>{b.data() + k, shape.k, 1}, shape.n, std::min(scales.along_k, shape.k - k),
                    part.data(), shape.n);
      const double *of_rows = scales.of_a.data() + l * shape.m + row, *of_cols = scales.of_b.data() + l * shape.n;
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < shape.n; ++j)
          c[static_cast<std::size_t>((row + i) * shape.n + j)] +=
              part[static_cast<std::size_t>(i * shape.n + j)] * of_rows[i] * of_cols[j];
    }
    if (tick != nullptr) tick->add();
  });
  return c;
}

namespace {

constexpr double most_s32 = std::numeric_limits<std::int32_t>::max();
constexpr double least_s32 = std::numeric_limits<std::int32_t>::min();

double largest_magnitude(std::span<const float> values) {
  double largest = 0;
  for (const float x : values) largest = std::max(largest, std::fabs(static_cast<double>(x)));
  return largest;
}

/// One row of C, clamped after every `step` columns of K.
void clamped_row(const float* a, const float* b, gemm_shape shape, std::int64_t step, double* c) {
  for (std::int64_t j = 0; j < shape.n; ++j, b += shape.k)
    for (std::int64_t k0 = 0; k0 < shape.k; k0 += step) {
      for (std::int64_t k = k0; k < std::min(shape.k, k0 + step); ++k)
        c[j] += static_cast<double>(a[k]) * static_cast<double>(b[k]);
      c[j] = std::clamp(c[j], least_s32, most_s32);
    }
}

}  // namespace

std::vector<double> reference_integer_gemm(std::span<const float> a, std::span<const float> b, gemm_shape shape,
                                           overflow rule, std::int64_t step, progress* tick) {
  const double largest_sum = largest_magnitude(a) * largest_magnitude(b) * static_cast<double>(shape.k);
  if (largest_sum <= most_s32) return reference_gemm(a, b, shape, tick);
  if (rule == overflow::wraps) {
    std::vector<double> c = reference_gemm(a, b, shape, tick);
    for (double& sum : c) sum = static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(sum)));
    return c;
  }
  require_size("A", a.size(), shape.m * shape.k);
  require_size("B", b.size(), shape.n * shape.k);
  std::vector<double> c(static_cast<std::size_t>(shape.m * shape.n), 0.0);
  parallel_for(row_blocks(shape.m), [&](std::int64_t block) {
    for (std::int64_t row = block * block_m; row < std::min(shape.m, (block + 1) * block_m); ++row)
      clamped_row(a.data() + row * shape.k, b.data(), shape, step, c.data() + row * shape.n);
    if (tick != nullptr) tick->add();
  });
  return c;
}

std::int64_t reference_steps(attention_shape shape) { return shape.batch * shape.heads * row_blocks(shape.queries); }

attention_result reference_attention(std::span<const float> q, std::span<const float> k, std::span<const float> v,
                                     attention_shape shape, const attention_rules& rules, progress* tick) {
  const auto [batch, heads, queries, dimension, keys, values, key_heads] = shape;
  require_size("Q", q.size(), batch * heads * queries * dimension);
  require_size("K", k.size(), batch * key_heads * keys * dimension);
  require_size("V", v.size(), batch * key_heads * keys * values);
  for (const auto& numbers : {rules.slopes, rules.sinks})
    if (!numbers.empty()) require_size("what heads have a number of", numbers.size(), heads);
  const std::int64_t all = batch * heads * queries;
  attention_result out{std::vector<double>(static_cast<std::size_t>(all * values), 0.0),
                       std::vector<double>(static_cast<std::size_t>(all), 0.0)};

  parallel_for(reference_steps(shape), [&, shape](std::int64_t step) {
    const std::int64_t blocks = row_blocks(shape.queries), head = step / blocks, first_row = step % blocks * block_m;
    const std::int64_t rows = std::min(block_m, shape.queries - first_row);
    const std::int64_t of_keys = head / (shape.heads / shape.key_heads) * shape.keys;
    const std::int64_t from = std::min(rules.first_key(shape, first_row), shape.keys);
    const std::int64_t columns = std::max<std::int64_t>(rules.end_of_keys(shape, first_row + rows - 1) - from, 0);
    std::vector<double> scores(static_cast<std::size_t>(rows * columns), 0.0);
    multiply_rows(strided<float>{q.data() + (head * shape.queries + first_row) * shape.dimension, shape.dimension, 1},
                  rows, strided<float>{k.data() + (of_keys + from) * shape.dimension, shape.dimension, 1}, columns,
                  shape.dimension, scores.data(), columns);
    const auto number = [&](std::span<const float> of_heads, double otherwise) {
      return of_heads.empty() ? otherwise : static_cast<double>(of_heads[static_cast<std::size_t>(head % shape.heads)]);
    };
    const double slope = number(rules.slopes, 0), sink = number(rules.sinks, -std::numeric_limits<double>::infinity());
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t query = first_row + i, own = rules.own_key(shape, query);
      const std::int64_t begin = std::clamp<std::int64_t>(rules.first_key(shape, query) - from, 0, columns);
      const std::int64_t end = std::clamp(rules.end_of_keys(shape, query) - from, begin, columns);
      double* const line = scores.data() + i * columns;
      for (std::int64_t j = begin; j < end; ++j) {
        double& s = line[j];
        s /= std::sqrt(static_cast<double>(shape.dimension));
        if (rules.cap != 0) s = rules.cap * std::tanh(s / rules.cap);
        s -= slope * static_cast<double>(std::abs(from + j - own));
      }
      out.log_sums[static_cast<std::size_t>(head * shape.queries + query)] = softmax(line + begin, end - begin, sink);
      std::fill(line, line + begin, 0.0);
      std::fill(line + end, line + columns, 0.0);
    }
    multiply_rows(strided<double>{scores.data(), columns, 1}, rows,
                  strided<float>{v.data() + (of_keys + from) * shape.values, 1, shape.values}, shape.values, columns,
                  out.rows.data() + (head * shape.queries + first_row) * shape.values, shape.values);
    if (tick != nullptr) tick->add();
  });
  return out;
}

namespace {

/// Everything that the gradients are made of.
struct gradient_problem {
  std::span<const float> q, k, v;
  attention_row_gradients given;
  attention_shape shape;
  attention_rules rules;

  void require_sizes() const {
    const std::int64_t rows = shape.batch * shape.heads * shape.queries,
                       keys = shape.batch * shape.key_heads * shape.keys;
    require_size("Q", q.size(), rows * shape.dimension);
    require_size("K", k.size(), keys * shape.dimension);
    require_size("V", v.size(), keys * shape.dimension);
    require_size("dO", given.of_rows.size(), rows * shape.dimension);
    require_size("offset", given.offset.size(), rows);
    require_size("delta", given.delta.size(), rows);
    if (!rules.slopes.empty()) require_size("what heads have a number of", rules.slopes.size(), shape.heads);
  }
};

/// Some rows of a head, by all of its keys: their probabilities, and the gradients of q k / sqrt(D).
struct rows_of_scores {
  std::vector<double> probabilities, gradients;
};

/// Of up to block_m rows of head `head`, of all batches' heads, from the head's row `first` on; its keys begin at row
/// `key` of K.
rows_of_scores scores_of(const gradient_problem& p, std::int64_t head, std::int64_t first, std::int64_t rows,
                         std::int64_t key) {
  const std::int64_t keys = p.shape.keys, dimension = p.shape.dimension, row = head * p.shape.queries + first;
  const auto all_pairs = [&](std::span<const float> of_rows, std::span<const float> of_keys) {
    std::vector<double> sums(static_cast<std::size_t>(rows * keys), 0.0);
    multiply_rows(strided<float>{of_rows.data() + row * dimension, dimension, 1}, rows,
                  strided<float>{of_keys.data() + key * dimension, dimension, 1}, keys, dimension, sums.data(), keys);
    return sums;
  };
  rows_of_scores out{all_pairs(p.q, p.k), all_pairs(p.given.of_rows, p.v)};
  const auto number = [](std::span<const float> all, std::int64_t i) {
    return static_cast<double>(all[static_cast<std::size_t>(i)]);
  };
  const double slope = p.rules.slopes.empty() ? 0 : number(p.rules.slopes, head % p.shape.heads), cap = p.rules.cap;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t own = p.rules.own_key(p.shape, first + i), from = p.rules.first_key(p.shape, first + i),
                       end = p.rules.end_of_keys(p.shape, first + i);
    for (std::int64_t j = 0; j < keys; ++j) {
      double& probability = out.probabilities[static_cast<std::size_t>(i * keys + j)];
      double& gradient = out.gradients[static_cast<std::size_t>(i * keys + j)];
      if (j < from || j >= end) {
        probability = gradient = 0;
        continue;
      }
      double score = probability / std::sqrt(static_cast<double>(dimension)), steepness = 1;
      if (cap != 0) {
        const double capped = std::tanh(score / cap);
        score = cap * capped;
        steepness = 1 - capped * capped;
      }
      score -= slope * static_cast<double>(std::abs(j - own));
      probability = std::exp2(score * std::numbers::log2e + number(p.given.offset, row + i));
      gradient = probability * (gradient - number(p.given.delta, row + i)) * steepness;
    }
  }
  return out;
}

/// From the gradients of q k / sqrt(D) to those of q and k.
void divide_by_root(std::vector<double>& gradients, std::int64_t dimension) {
  for (double& x : gradients) x /= std::sqrt(static_cast<double>(dimension));
}

}  // namespace

attention_key_gradients reference_key_gradients(std::span<const float> q, std::span<const float> k,
                                                std::span<const float> v, const attention_row_gradients& given,
                                                attention_shape shape, const attention_rules& rules, progress* tick) {
  const gradient_problem p{q, k, v, given, shape, rules};
  p.require_sizes();
  const std::int64_t keys = shape.keys, dimension = shape.dimension, sharers = shape.heads / shape.key_heads;
  attention_key_gradients out{std::vector<double>(k.size(), 0.0), std::vector<double>(v.size(), 0.0)};
  parallel_for(shape.batch * shape.key_heads, [&](std::int64_t group) {
    for (std::int64_t head = group * sharers; head < (group + 1) * sharers; ++head)
      for (std::int64_t first = 0; first < shape.queries; first += block_m) {
        const std::int64_t rows = std::min(block_m, shape.queries - first), row = head * shape.queries + first;
        const rows_of_scores of = scores_of(p, head, first, rows, group * keys);
        const auto add = [&](const std::vector<double>& weights, std::span<const float> by, std::vector<double>& sums) {
          for (std::int64_t j = 0; j < keys; j += block_m)
            multiply_rows(strided<double>{weights.data() + j, 1, keys}, std::min(block_m, keys - j),
                          strided<float>{by.data() + row * dimension, 1, dimension}, dimension, rows,
                          sums.data() + (group * keys + j) * dimension, dimension);
        };
        add(of.probabilities, given.of_rows, out.values);
        add(of.gradients, q, out.keys);
        if (tick != nullptr) tick->add();
      }
  });
  divide_by_root(out.keys, dimension);
  return out;
}

std::vector<double> reference_query_gradients(std::span<const float> q, std::span<const float> k,
                                              std::span<const float> v, const attention_row_gradients& given,
                                              attention_shape shape, const attention_rules& rules, progress* tick) {
  const gradient_problem p{q, k, v, given, shape, rules};
  p.require_sizes();
  const std::int64_t keys = shape.keys, dimension = shape.dimension;
  std::vector<double> out(q.size(), 0.0);
  parallel_for(reference_steps(shape), [&](std::int64_t step) {
    const std::int64_t blocks = row_blocks(shape.queries), head = step / blocks, first = step % blocks * block_m;
    const std::int64_t rows = std::min(block_m, shape.queries - first);
    const std::int64_t key = head / (shape.heads / shape.key_heads) * keys;
    const rows_of_scores of = scores_of(p, head, first, rows, key);
    multiply_rows(strided<double>{of.gradients.data(), keys, 1}, rows,
                  strided<float>{k.data() + key * dimension, 1, dimension}, dimension, keys,
                  out.data() + (head * shape.queries + first) * dimension, dimension);
    if (tick != nullptr) tick->add();
  });
  divide_by_root(out, dimension);
  return out;
}

namespace {

template <class T>
error_report compare_elements(std::span<const T> result, std::span<const double> reference) {
  require_size("the result", result.size(), static_cast<std::int64_t>(reference.size()));
  error_report report;
  double error_squares = 0;
  double squares = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (reference[i] == -infinity && static_cast<double>(result[i]) == -infinity) continue;
    const double error = std::fabs(static_cast<double>(result[i]) - reference[i]);
    if (!std::isfinite(error)) {
      return {
          .relative_l2 = infinity, .max_abs = infinity, .worst_index = static_cast<std::int64_t>(i), .finite = false};
    }
    error_squares += error * error;
    squares += reference[i] * reference[i];
    if (error > report.max_abs) {
      report.max_abs = error;
      report.worst_index = static_cast<std::int64_t>(i);
    }
  }
  if (error_squares > 0) report.relative_l2 = std::sqrt(error_squares / squares);
  return report;
}

}  // namespace

error_report compare(std::span<const float> result, std::span<const double> reference) {
  return compare_elements(result, reference);
}

error_report compare(std::span<const double> result, std::span<const double> reference) {
  return compare_elements(result, reference);
}

}  // namespace sectile::tool
