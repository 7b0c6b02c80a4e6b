#include "tool/row_functions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sectile::tool {
namespace {

constexpr double u = 0x1p-24;                    // of a number, by one rounding to f32
constexpr double exponential = 0x1p-22 + 2 * u;  // of exp(x), in f32
constexpr double flushed = 0x1p-126;             // ex2.approx.ftz gives zero instead of less

/// The sum of a row's numbers, or of its first ones. Each of four lanes adds up its quarter of a tile's columns and
/// adds that to what it has of the tiles before; in the end the four are added in two steps.
approximate sum_of_row(std::span<const approximate> all, std::int64_t tile) {
  approximate sum;
  double magnitude = 0;
  for (const approximate& x : all) {
    sum.value += x.value;
    sum.off += x.off;
    magnitude += std::fabs(x.value) + x.off;
  }
  const std::int64_t tiles = (std::ssize(all) + tile - 1) / tile, additions = tile / 4 + tiles + 2;
  sum.off += static_cast<double>(additions) * u * magnitude;
  return sum;
}

/// The mean as f32 gives it: a sum of exact numbers, and a quotient.
approximate mean_of(std::span<const float> x, std::int64_t tile) {
  std::vector<approximate> all;
  for (const float v : x) all.push_back({static_cast<double>(v)});
  const approximate sum = sum_of_row(all, tile);
  const auto count = static_cast<double>(x.size());
  return {sum.value / count, (sum.off + u * std::fabs(sum.value)) / count};
}

/// 1 / sqrt(x), where x is off by so much already: the addition of epsilon to it, the root and its reciprocal lose u
/// each. Where x may be as little as zero, or less, any number may come out.
approximate reciprocal_root(const approximate& x) {
  const double value = 1 / std::sqrt(x.value), least = x.value - x.off - u * x.value;
  const double most = least > 0 ? 1 / std::sqrt(least) : std::numeric_limits<double>::infinity();
  return {value, (most - value) + 2 * u * most};
}

}  // namespace

void softmax_of_row(const row_view& row, std::span<approximate> y) {
  const std::size_t count = row.x.size();
  const auto top = static_cast<double>(*std::ranges::max_element(row.x));
  // What is summed is multiplied by exp(old maximum - new one) once a tile, and added to.
  const double steps = std::ceil(static_cast<double>(count) / static_cast<double>(row.tile));
  for (std::size_t j = 0; j < count; ++j) {
    const double below = top - static_cast<double>(row.x[j]), term = std::exp(-below);
    y[j] = {term, term * (exponential + u * below) + flushed};
  }
  std::vector<approximate> terms(y.begin(), y.end());
  for (approximate& term : terms) term.off += term.value * steps * (exponential + 2 * u);
  const approximate sum = sum_of_row(terms, row.tile);
  for (approximate& x : y) {
    const double value = x.value / sum.value;
    x = {value, (x.off + value * sum.off) / (sum.value - sum.off) + 2 * u * value};
  }
}

void rms_norm_of_row(const row_view& row, std::span<approximate> y) {
  const auto count = static_cast<double>(row.x.size());
  std::vector<approximate> squares;
  for (const float x : row.x) {
    const double square = static_cast<double>(x) * static_cast<double>(x);
    squares.push_back({square, u * square});
  }
  const approximate sum = sum_of_row(squares, row.tile);
  const double mean = sum.value / count;
  const approximate scale = reciprocal_root({mean + static_cast<double>(row.numbers[0]), sum.off / count + u * mean});
  for (std::size_t j = 0; j < y.size(); ++j) {
    const double of = static_cast<double>(row.x[j]) * static_cast<double>(row.beside[0][j]);
    y[j] = {of * scale.value, std::fabs(of) * (scale.off + 2 * u * (scale.value + scale.off))};
  }
}

void layer_norm_of_row(const row_view& row, std::span<approximate> y) {
  const std::size_t size = row.x.size();
  const auto count = static_cast<double>(size);
  const double mean = mean_of(row.x, row.tile).value;
  // The kernel sums distances from the mean of the first tile, whichever number it got for that: only what is rounded
  // depends on it, through their magnitudes.
  const approximate near = mean_of(row.x.first(std::min(size, static_cast<std::size_t>(row.tile))), row.tile);
  std::vector<approximate> distances, squares;
  double variance = 0;
  for (const float x : row.x) {
    const double most = std::fabs(static_cast<double>(x) - near.value) + near.off, square = most * most;
    const double exact = static_cast<double>(x) - mean;
    distances.push_back({most, u * most});
    squares.push_back({square, 3 * u * square});
    variance += exact * exact / count;
  }
  const approximate of_squares = sum_of_row(squares, row.tile);
  const double mean_square = of_squares.value / count, mean_square_off = of_squares.off / count;
  const double shift = std::fabs(mean - near.value) + near.off;
  const double shift_off = sum_of_row(distances, row.tile).off / count + u * shift;
  // variance = mean_square - shift^2: what each of them lacks, and the quotient, the square and the difference.
  const double variance_off =
      mean_square_off + u * mean_square + (2 * shift + shift_off) * shift_off + u * (shift * shift + variance);
  const approximate scale = reciprocal_root({variance + static_cast<double>(row.numbers[0]), variance_off});
  for (std::size_t j = 0; j < size; ++j) {
    const double x = static_cast<double>(row.x[j]), centred = x - mean;
    const auto gamma = static_cast<double>(row.beside[0][j]), beta = static_cast<double>(row.beside[1][j]);
    const double centred_off = u * (std::fabs(x - near.value) + near.off) + shift_off + u * std::fabs(centred);
    const double scaled = centred * scale.value * gamma, value = scaled + beta;
    const double scaled_off =
        (centred_off * (scale.value + scale.off) + std::fabs(centred) * scale.off) * std::fabs(gamma);
    y[j] = {value, scaled_off + u * (2 * (std::fabs(scaled) + scaled_off) + std::fabs(value))};
  }
}

}  // namespace sectile::tool
