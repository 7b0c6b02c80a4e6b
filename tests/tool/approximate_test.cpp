// What is made of many numbers, and how far rounding may leave it.
#include "tool/approximate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace {

using namespace sectile::tool;

using numbers = std::vector<approximate>;

}  // namespace

TEST_CASE("a sum is off by what its terms are, and by its additions") {
  const approximate sum = sum_of(numbers{{1, 0.25}, {-3, 0.5}, {4, 0}});
  CHECK(sum.value == 2);
  CHECK(sum.off >= 0.75);
  CHECK(sum.off <= 0.75 + 0x1p-15);
  // Of numbers that are exact: more than the error of f32 however it is added, less than a wrong addition makes.
  numbers many(10000, {0.1, 0});
  float forward = 0;
  for (const approximate& x : many) forward += static_cast<float>(x.value);
  const approximate all = sum_of(many);
  CHECK(std::fabs(static_cast<double>(forward) - all.value) > 0);
  CHECK(all.off < 0.1);
  CHECK(all.off > 1e-3);
}

TEST_CASE("the largest is off by what those near it are") {
  const approximate most = most_of(numbers{{1, 0.5}, {-9, 1}, {3, 0.25}, {2.75, 1}});
  CHECK(most.value == 3);
  CHECK(most.off == 0.75);  // 2.75 may be 3.75
  const approximate magnitude = largest_magnitude_of(numbers{{1, 0.5}, {-9, 1}, {3, 0.25}});
  CHECK(magnitude.value == 9);
  CHECK(magnitude.off == 1);
}

TEST_CASE("a sum of exponentials begins at the largest") {
  const approximate exact = exponentials_of(numbers{{1000, 0}, {999, 0}, {0, 0}});
  CHECK(exact.value == doctest::Approx(1 + std::exp(-1.0)));
  CHECK(exact.off < 1e-4);
  const approximate one_off = exponentials_of(numbers{{1000, 0.5}, {999, 0}, {0, 0}});
  const double moved = 1 + std::exp(-0.5);  // what there is where the largest is 999.5
  CHECK(one_off.off > moved - one_off.value);
  CHECK(one_off.off < 2 * one_off.value);
  CHECK(std::isfinite(exponentials_of(numbers{{1e9, 1e4}, {0, 1e4}}).off));
}
