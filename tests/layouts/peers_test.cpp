// Cases that other implementations of this algebra are known to get wrong, to refuse without need, or to answer
// differently from one another: NVIDIA/cutlass issues 1353, 1355, 1625, 2113, 2432, 2955, 3058, 3177, 3471, 3485. Each
// is checked by what the operation promises, element by element.
#include <doctest/doctest.h>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

namespace {

/// Whether R is A o B, element by element.
constexpr bool composes(const layout& r, const layout& a, const layout& b) {
  if (!compatible(b, r)) return false;
  for (std::int64_t i = 0; i < size(b); ++i) {
    if (r(i) != a(b(i))) return false;
  }
  return true;
}

constexpr bool is_right_inverse(const layout& r, const layout& l) {
  for (std::int64_t i = 0; i < size(r); ++i) {
    if (l(r(i)) != i) return false;
  }
  return true;
}

constexpr bool is_left_inverse(const layout& r, const layout& l) {
  for (std::int64_t i = 0; i < size(l); ++i) {
    if (r(l(i)) != i) return false;
  }
  return true;
}

/// Composed exactly, with the given result.
constexpr bool composed_to(const layout& a, const layout& b, const layout& expected) {
  return composition(a, b) == expected && composes(expected, a, b);
}

}  // namespace

TEST_CASE("what others compose although no layout exists (2955, 3177)") {
  STATIC_CHECK(!try_composition("(4,6,8):(2,3,5)"_layout, "6:3"_layout));
  STATIC_CHECK(!try_composition("(6,2):(1,7)"_layout, "(3,2):(2,3)"_layout));
  // The answers that are given elsewhere, and where they go wrong.
  STATIC_CHECK("(2,3):(6,3)"_layout(2) == 3 && "(4,6,8):(2,3,5)"_layout("6:3"_layout(2)) == 7);
  STATIC_CHECK("(3,2):(2,3)"_layout(2, 1) == 7 && "(6,2):(1,7)"_layout("(3,2):(2,3)"_layout(2, 1)) == 8);
}

TEST_CASE("what others refuse to compose although a layout exists (1353, 2113, 2432)") {
  STATIC_CHECK(composed_to("(10,2):(16,4)"_layout, "(3,4):(1,5)"_layout, "(3,(2,2)):(16,(80,4))"_layout));
  STATIC_CHECK(composed_to("(32,128):(128,1)"_layout, "(30,128):(1,32)"_layout, "(30,128):(128,1)"_layout));
  STATIC_CHECK(composed_to("(2,3):(1,2)"_layout, "(2,3):(3,1)"_layout, "(2,3):(3,1)"_layout));
  // Row-major after row-major is another matter: 0, 1, 2 of A are 0, 3, 1, which is no mode.
  STATIC_CHECK(!try_composition("(2,3):(3,1)"_layout, "(2,3):(3,1)"_layout));
}

TEST_CASE("a left inverse has one canonical form (3485)") {
  STATIC_CHECK(left_inverse("4:2"_layout) == "(2,4):(0,1)"_layout);
  STATIC_CHECK(left_inverse("(4,2):(1,16)"_layout) == "(16,2):(1,4)"_layout);
  STATIC_CHECK(left_inverse("((2,2),(2,2)):((1,4),(8,32))"_layout) == "(4,8,2):(1,2,8)"_layout);
  for (const char* text : {"4:2", "(4,2):(1,16)", "((2,2),(2,2)):((1,4),(8,32))"}) {
    const layout l = parse_layout(text);
    CHECK(is_left_inverse(left_inverse(l), l));
    CHECK(coalesce(left_inverse(l)) == left_inverse(l));
  }
}

TEST_CASE("a right inverse keeps every mode, also of sizes that others learn at run time (1355, 1625, 3471)") {
  STATIC_CHECK(right_inverse("(2,4,6):(4,1,8)"_layout) == "(4,2,6):(2,1,8)"_layout);
  STATIC_CHECK(right_inverse("(16,4096):(1,16)"_layout) == "65536:1"_layout);
  for (const int m : {8, 64, 1024}) {
    for (const int n : {9, 27, 1023}) {
      const layout tiled = blocked_product("(2,3)"_layout, make_layout(make_shape(m / 2, n / 3)));
      const layout inverse = right_inverse(tiled);
      CHECK(size(inverse) == m * n);
      CHECK(is_right_inverse(inverse, tiled));
    }
  }
}

TEST_CASE("a complement has no mode of extent 1 (3058)") { static_assert(complement("4:2"_layout, 8) == "2:1"_layout); }
