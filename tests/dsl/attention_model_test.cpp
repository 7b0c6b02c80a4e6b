// Attention on the CPU model against float64: lengths that are no multiple of a tile, more keys than queries and fewer,
// several batches and heads.
//
// Inputs and output start as NaN throughout, gaps between heads included, so a key behind the last one that got any
// weight, or a row that was never written, would be seen.
#include <algorithm>
#include <cmath>
#include <sectile/kernels/attention.hpp>
#include <vector>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::attention;
using kernels::attention_mask;
using test::host_tensor;

constexpr auto full = attention_mask::none;
constexpr auto causal = attention_mask::causal;

/// B batches, H heads, S queries, T keys.
struct shape {
  int b = 1, h = 1, s = 1, t = 1;
  int pad = 0;
};

/// Rows of softmax(scale * Q K^T) V in double precision, one after the other for all batches and heads.
template <int D>
std::vector<double> reference(const shape& n, attention_mask mask, double scale, const host_tensor<bf16>& Q,
                              const host_tensor<bf16>& K, const host_tensor<bf16>& V) {
  std::vector<double> out;
  for (int b = 0; b < n.b; ++b)
    for (int h = 0; h < n.h; ++h)
      for (int i = 0; i < n.s; ++i) {
        const int seen = mask == causal && i + 1 < n.t ? i + 1 : n.t;
        std::vector<double> weight(static_cast<std::size_t>(seen));
        double most = -INFINITY, sum = 0, row[D]{};
        for (int j = 0; j < seen; ++j) {
          double score = 0;
          for (int d = 0; d < D; ++d) score += Q.number(b, h, i, d) * K.number(b, h, j, d);
          weight[static_cast<std::size_t>(j)] = score * scale;
          most = std::max(most, score * scale);
        }
        for (int j = 0; j < seen; ++j) {
          const double w = std::exp2(weight[static_cast<std::size_t>(j)] - most);
          sum += w;
          for (int d = 0; d < D; ++d) row[d] += w * V.number(b, h, j, d);
        }
        for (int d = 0; d < D; ++d) out.push_back(row[d] / sum);
      }
  return out;
}

template <int D, attention_mask Mask>
void check_attention(const shape& n, int random = 0, float scale = 1.4426950408889634f / std::sqrt(float{D})) {
  CAPTURE(n.b);
  CAPTURE(n.h);
  CAPTURE(n.s);
  CAPTURE(n.t);
  host_tensor<bf16> Q({n.b, n.h, n.s, D}, row_major, n.pad), K({n.b, n.h, n.t, D}, row_major, 2 * n.pad),
      V({n.b, n.h, n.t, D}), O({n.b, n.h, n.s, D}, row_major, n.pad);
  Q.fill(1);
  K.fill(2);
  V.fill(3);
  test::run_on_schedules<attention<D, Mask>>(random, O, Q.in(), K.in(), V.in(), O.view(), scale);
  const std::vector<double> expected = reference<D>(n, Mask, static_cast<double>(scale), Q, K, V);
  test::check_close(O, test::rounded_twice, [&](int b, int h, int i, int d) {
    return expected[static_cast<std::size_t>(((b * n.h + h) * n.s + i) * D + d)];
  });
}

TEST_CASE("d = 64: tiles of 192 queries and 128 keys") {
  check_attention<64, full>({.s = 192, .t = 128});
  check_attention<64, full>({.s = 1, .t = 1});
  check_attention<64, full>({.s = 7, .t = 129, .pad = 1});
  check_attention<64, full>({.s = 193, .t = 127});
  check_attention<64, full>({.b = 2, .h = 3, .s = 70, .t = 300, .pad = 1}, 1);
}
TEST_CASE("d = 64, causal") {
  check_attention<64, causal>({.s = 192, .t = 192});
  check_attention<64, causal>({.s = 1, .t = 300});
  check_attention<64, causal>({.s = 400, .t = 400, .pad = 1}, 1);
  check_attention<64, causal>({.s = 300, .t = 65});
  check_attention<64, causal>({.b = 2, .h = 2, .s = 200, .t = 333});
}
TEST_CASE("d = 128: tiles of 128 queries and 128 keys") {
  check_attention<128, full>({.s = 128, .t = 128});
  check_attention<128, full>({.s = 1, .t = 257});
  check_attention<128, full>({.s = 130, .t = 2, .pad = 2});
  check_attention<128, full>({.b = 3, .h = 2, .s = 65, .t = 260}, 1);
}
TEST_CASE("d = 128, causal") {
  check_attention<128, causal>({.s = 128, .t = 128});
  check_attention<128, causal>({.s = 129, .t = 129, .pad = 1}, 1);
  check_attention<128, causal>({.s = 257, .t = 100});
  check_attention<128, causal>({.b = 2, .h = 2, .s = 150, .t = 400});
}
TEST_CASE("scores far apart: the running maximum keeps exponents in range") {
  check_attention<64, full>({.s = 20, .t = 300}, 0, 8.0f);
  check_attention<128, causal>({.s = 140, .t = 300}, 0, 8.0f);
}
TEST_CASE("a scale of almost nothing: the mean of the values") {
  check_attention<64, full>({.s = 10, .t = 200}, 0, 0x1p-30f);
  check_attention<64, causal>({.s = 200, .t = 200}, 0, 0x1p-30f);
}

}  // namespace
