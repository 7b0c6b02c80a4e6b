// Compiled without fused multiply-add (see CMakeLists.txt), which would change the last bit on some machines.
#include "tool/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "tool/parallel.hpp"

namespace sectile::tool {
namespace {

/// Natural logarithm of a normal x > 0: x = 2^e m with m in [3/4, 3/2), ln m = 2 artanh((m - 1) / (m + 1)).
double logarithm(double x) {
  constexpr double ln_2 = 0.693147180559945309417232121458;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffU) | 0x3ff0000000000000U);
  if (m >= 1.5) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1);
  double sum = 0;
  for (int n = 25; n >= 1; n -= 2) sum = sum * (s * s) + 1.0 / n;
  return static_cast<double>(exponent) * ln_2 + 2 * s * sum;
}

/// (cos, sin) of 2 pi u for u in [0, 1): the Taylor series in the octant around the nearest axis.
std::pair<double, double> cosine_and_sine(double u) {
  constexpr double half_pi = 1.57079632679489661923132169164;
  const double quarter = std::floor(4 * u + 0.5);
  const double x = (4 * u - quarter) * half_pi;
  double c = 0;
  double s = 0;
  for (int n = 18; n >= 2; n -= 2) {
    c = 1 - c * (x * x) / (n * (n - 1));
    s = 1 - s * (x * x) / (n * (n + 1));
  }
  s *= x;
  switch (static_cast<int>(quarter) & 3) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

/// Two independent numbers from two hashed counters.
std::pair<double, double> normal_pair(std::uint64_t seed, std::uint64_t pair) {
  constexpr double ulp = 0x1p-53;
  const double above_zero = (static_cast<double>(hash(seed, 2 * pair) >> 11) + 0.5) * ulp;
  const double angle = static_cast<double>(hash(seed, 2 * pair + 1) >> 11) * ulp;
  const double radius = std::sqrt(-2 * logarithm(above_zero));
  const auto [c, s] = cosine_and_sine(angle);
  return {radius * c, radius * s};
}

}  // namespace

double standard_normal(std::uint64_t seed, std::uint64_t index) {
  const auto [even, odd] = normal_pair(seed, index / 2);
  return index % 2 == 0 ? even : odd;
}

void fill_standard_normal(std::span<float> out, std::uint64_t seed) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const std::size_t blocks = (out.size() + block - 1) / block;
  parallel_for(static_cast<std::int64_t>(blocks), [&](std::int64_t b) {
    const std::size_t begin = static_cast<std::size_t>(b) * block;
    const std::size_t end = std::min(out.size(), begin + block);
    for (std::size_t i = begin; i < end; i += 2) {
      const auto [even, odd] = normal_pair(seed, i / 2);
      out[i] = static_cast<float>(even);
      if (i + 1 < end) out[i + 1] = static_cast<float>(odd);
    }
  });
}

}  // namespace sectile::tool
