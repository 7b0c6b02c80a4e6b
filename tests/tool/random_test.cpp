// The random numbers: the same for ever, standard normal, and independent of how the work was split.
#include "tool/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using sectile::tool::fill_standard_normal;
using sectile::tool::standard_normal;

TEST_CASE("the hash of a seed and a counter never changes") {
  static_assert(sectile::tool::hash(0, 0) == 0xa706dd2f4d197e6f);
  static_assert(sectile::tool::hash(1, 2) == 0x0b95f66d327e8d78);
  static_assert(sectile::tool::hash(~0ULL, ~0ULL) == 0x445018e305810b78);
}

TEST_CASE("the numbers never change, down to the last bit") {
  CHECK(standard_normal(1, 0) == 0x1.535f3b4d728c8p+0);
  CHECK(standard_normal(1, 1) == -0x1.f69acc395f24ep-2);
  CHECK(standard_normal(42, 123456789) == -0x1.c478a7a962361p-2);
  CHECK(standard_normal(~0ULL, 1000000000001) == 0x1.c672c7c944c29p+0);
}

TEST_CASE("an element is the Box-Muller transform of its two hashes") {
  for (std::uint64_t pair = 0; pair < 20000; ++pair) {
    const double radius_bits = (static_cast<double>(sectile::tool::hash(9, 2 * pair) >> 11) + 0.5) * 0x1p-53;
    const double turn = static_cast<double>(sectile::tool::hash(9, 2 * pair + 1) >> 11) * 0x1p-53;
    const double radius = std::sqrt(-2 * std::log(radius_bits));
    const double angle = 2 * 3.14159265358979323846 * turn;
    REQUIRE(std::fabs(standard_normal(9, 2 * pair) - radius * std::cos(angle)) < 1e-14);
    REQUIRE(std::fabs(standard_normal(9, 2 * pair + 1) - radius * std::sin(angle)) < 1e-14);
  }
}

TEST_CASE("a filled span holds the numbers of its indices, whatever its size") {
  for (std::size_t size : {0, 1, 2, 65535, 65536, 65537, 200001}) {
    std::vector<float> out(size, -99.0F);
    fill_standard_normal(out, 42);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < size; ++i) wrong += out[i] != static_cast<float>(standard_normal(42, i)) ? 1 : 0;
    CHECK(wrong == 0);
  }
}

TEST_CASE("the moments are those of a standard normal") {
  constexpr std::size_t count = 1 << 20;
  std::vector<float> values(count);
  fill_standard_normal(values, 7);
  double sum = 0;
  double squares = 0;
  double cubes = 0;
  double fourths = 0;
  double neighbours = 0;
  std::size_t within_one = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(values[i]);
    sum += x;
    squares += x * x;
    cubes += x * x * x;
    fourths += x * x * x * x;
    neighbours += i > 0 ? x * static_cast<double>(values[i - 1]) : 0.0;
    within_one += std::fabs(x) < 1 ? 1 : 0;
  }
  const double n = count;  // the bounds are five standard deviations
  CHECK(std::fabs(sum / n) < 5 / std::sqrt(n));
  CHECK(std::fabs(squares / n - 1) < 5 * std::sqrt(2 / n));
  CHECK(std::fabs(cubes / n) < 5 * std::sqrt(15 / n));
  CHECK(std::fabs(fourths / n - 3) < 5 * std::sqrt(96 / n));
  CHECK(std::fabs(neighbours / n) < 5 / std::sqrt(n));
  CHECK(std::fabs(static_cast<double>(within_one) / n - 0.6826894921) < 5 * 0.466 / std::sqrt(n));
}

TEST_CASE("seeds give different sequences") {
  std::size_t equal = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    equal += standard_normal(0, i) == standard_normal(1, i) ? 1 : 0;
    equal += standard_normal(0, i) == standard_normal(0, i + 1) ? 1 : 0;
  }
  CHECK(equal == 0);
}
