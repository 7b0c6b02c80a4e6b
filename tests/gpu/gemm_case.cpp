#include "tests/gpu/gemm_case.hpp"

#include <cmath>
#include <vector>

#include "tool/random.hpp"
#include "tool/reference.hpp"

namespace sectile::gpu_test {
namespace {

/// Independent draws for a case: each `what` has its own.
std::int64_t draw(int index, std::uint64_t what, std::int64_t below) {
  const std::uint64_t bits = tool::hash(what, static_cast<std::uint64_t>(index));
  return static_cast<std::int64_t>((bits >> 8) % static_cast<std::uint64_t>(below));
}

std::int64_t round_up(std::int64_t x, std::int64_t multiple) { return (x + multiple - 1) / multiple * multiple; }

/// `residue` plus `blocks` times `block`, but never 0.
std::int64_t size_of(std::int64_t residue, std::int64_t block, std::int64_t blocks) {
  return residue == 0 && blocks == 0 ? block : residue + block * blocks;
}

template <class T>
guarded<T> padded(int index, std::uint64_t what, std::int64_t rows, std::int64_t cols) {
  const std::int64_t step = 16 / static_cast<std::int64_t>(sizeof(T));  // TMA wants rows a multiple of 16 bytes apart
  const std::int64_t stride = round_up(cols, step) + step * draw(index, what, 5);
  return {rows, cols, stride, static_cast<int>(16 * draw(index, what + 1, 8))};
}

/// x times a power of two from 2^-12 to 2^12 that depends on the element.
float widen(float x, std::uint64_t seed, std::size_t element) {
  return std::ldexp(x, static_cast<int>(tool::hash(~seed, element) % 25) - 12);
}

/// Pairs each column with the one `distance` away: equal in A, nearly opposite in B, so that each pair of products
/// leaves a 32nd of its size. A column without a partner is as small as that.
void cancel(std::vector<float>& x, std::int64_t rows, std::int64_t k, std::int64_t distance, bool opposite) {
  for (std::int64_t r = 0; r < rows; ++r) {
    float* const row = x.data() + r * k;
    for (std::int64_t c = 0; c < k; ++c) {
      const bool later = (c & distance) != 0;
      if (!later && c + distance >= k) row[c] *= opposite ? 0x1p-5f : 1.0f;
      if (later) row[c] = opposite ? -row[c - distance] * (1 + 0x1p-5f * row[c]) : row[c - distance];
    }
  }
}

void fill(guarded<bf16>& x, const gemm_case& c, std::uint64_t seed, bool is_b) {
  std::vector<float> values(static_cast<std::size_t>(x.rows * x.cols));
  tool::fill_standard_normal(values, seed);
  if (c.kind == data_kind::wide)
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = widen(values[i], seed, i);
  // Partners next to each other, in another core matrix, in another instruction, or in another tile.
  constexpr std::int64_t distances[] = {1, 8, 16, 64};
  if (c.kind == data_kind::cancelling) cancel(values, x.rows, x.cols, distances[c.index / 3 % 4], is_b);
  for (std::int64_t row = 0; row < x.rows; ++row)
    for (std::int64_t col = 0; col < x.cols; ++col)
      x.set(row, col, bf16(values[static_cast<std::size_t>(row * x.cols + col)]));
}

}  // namespace

gemm_case make_gemm_case(int index) {
  const bool large = index % 40 == 39;
  gemm_case c;
  c.index = index;
  c.m = size_of(index * 37 % 128, 128, large ? 8 + draw(index, 1, 5) : draw(index, 1, 5));
  c.n = size_of(index * 91 % 256, 256, large ? 4 + draw(index, 2, 3) : draw(index, 2, 3));
  c.k = size_of((index + 1) % 64, 64, index < 64 ? 0 : large ? 8 + draw(index, 3, 12) : draw(index, 3, 9));
  c.kind = static_cast<data_kind>(index % 3);
  c.a = padded<bf16>(index, 10, c.m, c.k);
  c.b = padded<bf16>(index, 20, c.n, c.k);
  fill(c.a, c, 2 * static_cast<std::uint64_t>(index), false);
  fill(c.b, c, 2 * static_cast<std::uint64_t>(index) + 1, true);
  return c;
}

template <class Out>
guarded<Out> make_output(const gemm_case& c) {
  return padded<Out>(c.index, 30, c.m, c.n);
}
template guarded<bf16> make_output<bf16>(const gemm_case&);
template guarded<float> make_output<float>(const gemm_case&);

template <class Out>
double relative_error(const gemm_case& c, const guarded<Out>& out) {
  const std::vector<double> reference = tool::reference_gemm(c.a.values(), c.b.values(), {c.m, c.n, c.k});
  return tool::compare(out.values(), reference).relative_l2;
}
template double relative_error<bf16>(const gemm_case&, const guarded<bf16>&);
template double relative_error<float>(const gemm_case&, const guarded<float>&);

std::string describe(const gemm_case& c) {
  constexpr const char* kinds[] = {"normal", "wide", "cancelling"};
  return "case " + std::to_string(c.index) + ": " + std::to_string(c.m) + " x " + std::to_string(c.n) + " x " +
         std::to_string(c.k) + ", " + kinds[static_cast<int>(c.kind)];
}

}  // namespace sectile::gpu_test
