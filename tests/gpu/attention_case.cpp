#include "tests/gpu/attention_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tool/parallel.hpp"
#include "tool/random.hpp"
#include "tool/reference.hpp"

namespace sectile::gpu_test {
namespace {

std::int64_t draw(int index, std::uint64_t what, std::int64_t below) {
  const std::uint64_t bits = tool::hash(1000 + what, static_cast<std::uint64_t>(index));
  return static_cast<std::int64_t>((bits >> 8) % static_cast<std::uint64_t>(below));
}

guarded<bf16> random_rows(std::int64_t rows, std::int64_t cols, std::uint64_t seed, float factor) {
  guarded<bf16> x(rows, cols, cols);
  std::vector<float> values(static_cast<std::size_t>(rows * cols));
  tool::fill_standard_normal(values, seed);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c) x.set(r, c, bf16(factor * values[static_cast<std::size_t>(r * cols + c)]));
  return x;
}

/// One query against `keys` keys and values.
void attend(const float* q, const float* k, const float* v, std::int64_t keys, std::int64_t dimension, double* out) {
  std::vector<double> weight(static_cast<std::size_t>(keys));
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::int64_t j = 0; j < keys; ++j) {
    double score = 0;
    for (std::int64_t d = 0; d < dimension; ++d)
      score += static_cast<double>(q[d]) * static_cast<double>(k[j * dimension + d]);
    weight[static_cast<std::size_t>(j)] = score / std::sqrt(static_cast<double>(dimension));
    largest = std::max(largest, weight[static_cast<std::size_t>(j)]);
  }
  for (double& w : weight) sum += w = std::exp(w - largest);
  for (std::int64_t j = 0; j < keys; ++j)
    for (std::int64_t d = 0; d < dimension; ++d)
      out[d] += weight[static_cast<std::size_t>(j)] / sum * static_cast<double>(v[j * dimension + d]);
}

}  // namespace

float attention_case::scale() const {
  constexpr double log2_e = 1.4426950408889634;
  return static_cast<float>(log2_e / std::sqrt(static_cast<double>(dimension)));
}

attention_case make_attention_case(int index) {
  attention_case c;
  c.index = index;
  c.causal = index % 2 == 1;
  c.dimension = index / 2 % 2 ? 128 : 64;
  c.batch = 1 + draw(index, 0, 3);
  c.heads = 1 + draw(index, 1, 4);
  constexpr std::int64_t edges[] = {1, 2, 127, 129, 191, 193, 255};  // then at random
  c.queries = index < 7 ? edges[index] : 1 + draw(index, 2, 900);
  c.keys = c.causal ? c.queries : index < 7 ? edges[6 - index] : 1 + draw(index, 3, 900);
  const float sharpness = index % 3 == 2 ? 8.0f : 1.0f;  // large scores: nearly all the weight on a few keys
  const auto seed = static_cast<std::uint64_t>(5000 + 3 * index);
  c.q = random_rows(c.batch * c.heads * c.queries, c.dimension, seed, sharpness);
  c.k = random_rows(c.batch * c.heads * c.keys, c.dimension, seed + 1, 1.0f);
  c.v = random_rows(c.batch * c.heads * c.keys, c.dimension, seed + 2, 1.0f);
  c.o = guarded<bf16>(c.batch * c.heads * c.queries, c.dimension, c.dimension);
  return c;
}

double relative_error(const attention_case& c) {
  const std::vector<float> q = c.q.values(), k = c.k.values(), v = c.v.values();
  std::vector<double> expected(q.size(), 0.0);
  tool::parallel_for(c.q.rows, [&](std::int64_t row) {
    const std::int64_t head = row / c.queries * c.keys * c.dimension;
    const std::int64_t seen = c.causal ? std::min(row % c.queries + 1, c.keys) : c.keys;
    attend(q.data() + row * c.dimension, k.data() + head, v.data() + head, seen, c.dimension,
           expected.data() + row * c.dimension);
  });
  return tool::compare(c.o.values(), expected).relative_l2;
}

std::string describe(const attention_case& c) {
  const auto number = [](std::int64_t x) { return std::to_string(x); };
  return "case " + number(c.index) + ": B " + number(c.batch) + ", H " + number(c.heads) + ", S " + number(c.queries) +
         ", T " + number(c.keys) + ", D " + number(c.dimension) + (c.causal ? ", causal" : "");
}

}  // namespace sectile::gpu_test
