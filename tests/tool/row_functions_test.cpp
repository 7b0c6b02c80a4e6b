// Rows in float64, and whether their bounds are what f32 arithmetic needs.
#include "tool/row_functions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tool/random.hpp"

namespace {

using namespace sectile::tool;

using floats = std::vector<float>;
using row_function = void (*)(const row_view&, std::span<approximate>);

constexpr std::int64_t tile = 128;

std::vector<approximate> of_row(row_function f, const floats& x, const std::vector<floats>& beside = {},
                                const floats& given = {}) {
  row_view row{.x = x, .beside = {}, .numbers = given, .tile = tile};
  for (const floats& other : beside) row.beside.emplace_back(other);
  std::vector<approximate> y(x.size());
  f(row, y);
  return y;
}

/// Standard-normal numbers around `mean`.
floats normal(std::size_t count, std::uint64_t seed, float mean = 0) {
  floats x(count);
  fill_standard_normal(x, seed);
  for (float& v : x) v += mean;
  return x;
}

/// The sum of f(x) along a row, as four lanes add it up, tile by tile; `before` is done to what they have in front of
/// each tile but the first.
template <class F, class Before>
float sum_in_f32(const floats& x, F f, Before before) {
  std::array<float, 4> lanes{};
  for (std::size_t begin = 0; begin < x.size(); begin += tile) {
    std::array<float, 4> of_tile{};
    for (std::size_t j = begin; j < std::min(begin + tile, x.size()); ++j) of_tile[j / 2 % 4] += f(x[j]);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      if (begin > 0) lanes[lane] = before(lanes[lane], begin);
      lanes[lane] += of_tile[lane];
    }
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}
template <class F>
float sum_in_f32(const floats& x, F f) {
  return sum_in_f32(x, f, [](float sum, std::size_t) { return sum; });
}

/// As kernels/rows.hpp goes about it.
floats softmax_in_f32(const floats& x) {
  const auto top_before = [&](std::size_t end) {
    return *std::max_element(x.begin(), x.begin() + std::ptrdiff_t(end));
  };
  const auto top_with = [&](std::size_t begin) { return top_before(std::min(begin + tile, x.size())); };
  std::size_t seen = 0;
  const float sum = sum_in_f32(
      x, [&](float v) { return std::exp(v - top_with(seen++ / tile * tile)); },
      [&](float so_far, std::size_t begin) { return so_far * std::exp(top_before(begin) - top_with(begin)); });
  floats y;
  for (const float v : x) y.push_back(std::exp(v - top_with(x.size() - 1)) * (1 / sum));
  return y;
}
floats rms_norm_in_f32(const floats& x, const floats& gamma, float epsilon) {
  const float sum = sum_in_f32(x, [](float v) { return v * v; });
  const float scale = 1 / std::sqrt(sum / static_cast<float>(x.size()) + epsilon);
  floats y;
  for (std::size_t j = 0; j < x.size(); ++j) y.push_back(x[j] * scale * gamma[j]);
  return y;
}
floats layer_norm_in_f32(const floats& x, const floats& gamma, const floats& beta, float epsilon) {
  const floats first(x.begin(), x.begin() + std::ptrdiff_t(std::min<std::size_t>(tile, x.size())));
  const float near = sum_in_f32(first, [](float v) { return v; }) / static_cast<float>(first.size());
  const auto count = static_cast<float>(x.size());
  const float sum = sum_in_f32(x, [&](float v) { return v - near; });
  const float squares = sum_in_f32(x, [&](float v) { return (v - near) * (v - near); });
  const float off = sum / count, scale = 1 / std::sqrt(squares / count - off * off + epsilon);
  floats y;
  for (std::size_t j = 0; j < x.size(); ++j) y.push_back((x[j] - near - off) * scale * gamma[j] + beta[j]);
  return y;
}

/// Whether every element is within its bound, and every bound at most that part of the largest element. How many
/// elements are not what float64 gives.
int check_bounds(const std::vector<approximate>& y, const floats& in_f32, double part = 0x1p-12) {
  int beyond = 0, vague = 0, differ = 0;
  double most = 0;
  for (const approximate& x : y) most = std::max(most, std::fabs(x.value));
  for (std::size_t j = 0; j < y.size(); ++j) {
    const double error = std::fabs(static_cast<double>(in_f32[j]) - y[j].value);
    beyond += error > y[j].off;
    differ += error > 0;
    vague += y[j].off > part * most;
  }
  CHECK(beyond == 0);
  CHECK(vague == 0);
  return differ;
}

}  // namespace

TEST_CASE("rows are what their formulas say") {
  for (const approximate& p : of_row(softmax_of_row, {7, 7, 7, 7})) CHECK(p.value == 0.25);
  const std::vector<approximate> p = of_row(softmax_of_row, {0, std::log(3.0F)});
  CHECK(p[0].value == doctest::Approx(0.25));
  CHECK(p[1].value == doctest::Approx(0.75));
  const std::vector<approximate> r = of_row(rms_norm_of_row, {3, 4}, {{1, 2}}, {3.5F});
  CHECK(r[0].value == 0.75);
  CHECK(r[1].value == 2);
  const std::vector<approximate> n = of_row(layer_norm_of_row, {1, 3}, {{2, 1}, {10, 20}}, {3});
  CHECK(n[0].value == 9);
  CHECK(n[1].value == 20.5);
}

TEST_CASE("bounds of rows hold f32 arithmetic, and are far below what bf16 rounds off") {
  for (const std::size_t count : {5U, 128U, 1000U, 5000U}) {
    CAPTURE(count);
    const floats gamma = normal(count, 2, 1), beta = normal(count, 3), x = normal(count, 1, 0.5F);
    CHECK(check_bounds(of_row(softmax_of_row, x), softmax_in_f32(x)) > 0);
    CHECK(check_bounds(of_row(rms_norm_of_row, x, {gamma}, {1e-5F}), rms_norm_in_f32(x, gamma, 1e-5F)) > 0);
    CHECK(check_bounds(of_row(layer_norm_of_row, x, {gamma, beta}, {1e-5F}), layer_norm_in_f32(x, gamma, beta, 1e-5F)) >
          0);
  }
}

TEST_CASE("bounds of rows hold where numbers are far from zero, far apart, or all the same") {
  const std::size_t count = 1000;
  const floats gamma = normal(count, 2, 1), beta = normal(count, 3), far = normal(count, 1, 1000);
  check_bounds(of_row(layer_norm_of_row, far, {gamma, beta}, {1e-5F}), layer_norm_in_f32(far, gamma, beta, 1e-5F),
               0x1p-9);
  floats rising(count), same(count, 0.3F);
  for (std::size_t j = 0; j < count; ++j) rising[j] = static_cast<float>(j) * 0.37F;
  check_bounds(of_row(softmax_of_row, rising), softmax_in_f32(rising));
  check_bounds(of_row(layer_norm_of_row, same, {gamma, beta}, {1e-5F}), layer_norm_in_f32(same, gamma, beta, 1e-5F));
  check_bounds(of_row(rms_norm_of_row, same, {gamma}, {1e-5F}), rms_norm_in_f32(same, gamma, 1e-5F));
}
