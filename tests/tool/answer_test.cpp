// What is rounded at last: how far that may move what a kernel has computed.
#include "tool/answer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <sectile/dsl.hpp>

namespace {

using namespace sectile;
using namespace sectile::tool;

const element bf16_type = element_of<bf16>(), e4m3_type = element_of<e4m3>();

/// How far a number may be off that is known up to `off` before it is rounded.
double off_of(const element& type, double value, double off) {
  const answer a = judged_when_rounded({{value, off}, {1, 0.25}}, type);
  return a.off[0];
}

}  // namespace

TEST_CASE("numbers that have a place in a type are exact there") {
  const answer moved = judged_when_rounded({{1.5, 0}, {-448, 0}, {0, 0}}, e4m3_type);
  CHECK(moved.values == std::vector<double>{1.5, -448, 0});
  CHECK(moved.off.empty());
  CHECK(moved.bar == 0);
}

TEST_CASE("rounding moves a number by its distance from those of the type") {
  CHECK(off_of(bf16_type, 1 + 0x1p-8, 0) == 0x1p-8);        // half way: to even
  CHECK(off_of(bf16_type, 1 + 0x1p-9, 0) == 0x1p-9);        // a quarter
  CHECK(off_of(bf16_type, 1 + 0x1p-9, 0x1p-16) == 0x1p-9);  // f32 arithmetic in front of it changes nothing
  CHECK(off_of(bf16_type, 1 + 0x1p-8, 0x1p-16) == 0x1p-8);  // or makes either neighbour right
  CHECK(off_of(bf16_type, 1, 0x1p-16) == 0);
  CHECK(off_of(e4m3_type, 0x1p-10, 0) == 0x1p-10);        // half of the smallest
  CHECK(off_of(e4m3_type, 0x1p-9 * 1.25, 0) == 0x1p-11);  // subnormal numbers lie evenly
  CHECK(off_of(e4m3_type, 448, 8) == 0);                  // 456 is clamped, 440 is rounded to 448
  CHECK(off_of(element_of<float>(), 1, 0x1p-30) == 0);    // f32 has nothing so near
  CHECK(off_of(element_of<float>(), 1, 0x1p-22) == 0x1p-22);
}

TEST_CASE("integers that are rounded may be off by half a unit more") {
  CHECK(off_of(element_of<s8>(), 3.25, 0.125) == 0.625);
}
