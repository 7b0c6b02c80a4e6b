// L(...) of a coordinate of L, and the refusal of what is none: in constant evaluation of L(...), always of at(...).
#include <doctest/doctest.h>

#include <cstdint>
#include <sectile/layouts/slice.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>
#include <sectile/layouts/unrolled.hpp>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

namespace {

constexpr layout rows = "(4,8):(8,1)"_layout;
constexpr layout nested = "((2,2),(3,1),5):((1,-8),(0,7),2)"_layout;
constexpr swizzled_layout swizzled = "Sw<3,3,3> o 64 o (8,64):(64,1)"_swizzled;

/// Whether `of()` is a constant expression.
template <class F, std::int64_t = F{}()>
constexpr bool is_constant(F) {
  return true;
}
constexpr bool is_constant(...) { return false; }

}  // namespace

// The coordinates of a layout are constants, and nothing else is.
STATIC_CASE(is_constant([] { return rows(31); }) && is_constant([] { return rows(3, 7); }));
STATIC_CASE(!is_constant([] { return rows(32); }) && !is_constant([] { return rows(-1); }));
STATIC_CASE(!is_constant([] { return rows(4, 0); }) && !is_constant([] { return rows(0, 8); }));
STATIC_CASE(!is_constant([] { return rows(0, -1); }) && !is_constant([] { return rows(0, 0, 0); }));
STATIC_CASE(is_constant([] { return nested(3, 2, 4); }) && !is_constant([] { return nested(3, 2); }));
STATIC_CASE(!is_constant([] { return nested(4, 0, 0); }) && !is_constant([] { return nested(0, 3, 0); }));
STATIC_CASE(is_constant([] { return nested("((1,1),2,4)"_coord); }));
STATIC_CASE(!is_constant([] { return nested("((1,2),2,4)"_coord); }));
STATIC_CASE(!is_constant([] { return nested("((1,1,1),2,4)"_coord); }));
STATIC_CASE(is_constant([] { return swizzled(7, 63); }) && !is_constant([] { return swizzled(8, 0); }));
STATIC_CASE(is_constant([] { return rows.at(3, 7); }) && !is_constant([] { return rows.at(3, 8); }));
STATIC_CASE(is_constant([] { return slice_and_offset("(3,_)"_coord, rows).offset; }));
STATIC_CASE(!is_constant([] { return slice_and_offset("(4,_)"_coord, rows).offset; }));
STATIC_CASE(!is_constant([] { return slice("(_,64)"_coord, swizzled).offset; }));
STATIC_CASE(is_constant([] { return offset_in<rows>(3, 7); }) && !is_constant([] { return offset_in<rows>(4, 0); }));
STATIC_CASE(!is_constant([] { return offset_in<rows>(32); }) &&
              !is_constant([] { return offset_in<swizzled>(0, 64); }));
STATIC_CASE(is_constant([] { return crd2idx("(9,9)"_coord, rows); }));  // as far as you like

TEST_CASE("at() is L(...) inside and a refusal outside, at run time") {
  for (std::int64_t i = -3; i < 36; ++i) {
    const bool inside = i >= 0 && i < 32;
    CHECK((refusal([&] { rows.at(i); }) == "") == inside);
    if (inside) CHECK(rows.at(i) == i % 4 * 8 + i / 4);
  }
  for (std::int64_t i = -2; i < 7; ++i) {
    for (std::int64_t j = -2; j < 11; ++j) {
      const bool inside = i >= 0 && i < 4 && j >= 0 && j < 8;
      CHECK((refusal([&] { rows.at(i, j); }) == "") == inside);
      if (inside) CHECK(rows.at(i, j) == 8 * i + j);
    }
  }
  CHECK(nested.at(3, 2, 4) == 1 - 8 + 0 + 8);
  CHECK(nested.at("((1,1),(2,0),4)"_coord) == nested.at(3, 2, 4));
  CHECK(nested.at(make_coord(3, _, 4)) == nested.at(3, 0, 4));
  CHECK(swizzled.at(1, 8) == swizzled(1, 8));
}

TEST_CASE("a refusal names the coordinate, the layout and the index") {
  CHECK(refusal([] { rows.at(4, 0); }) == "coordinate (4,0) lies outside of (4,8):(8,1): index 4 is not in 0 to 3");
  CHECK(refusal([] { rows.at(-1); }) == "coordinate -1 lies outside of (4,8):(8,1): index -1 is not in 0 to 31");
  CHECK(refusal([] { rows.at(1, 2, 3); }) == "coordinate (1,2,3) does not fit the profile (*,*) of (4,8):(8,1)");
  CHECK(refusal([] { nested.at(0, 0); }) ==
        "coordinate (0,0) does not fit the profile ((*,*),(*,*),*) of ((2,2),(3,1),5):((1,-8),(0,7),2)");
  CHECK(refusal([] { swizzled.at(8, 0); }) ==
        "coordinate (8,0) lies outside of (8,64):(64,1): index 8 is not in 0 to 7");
  CHECK(refusal([] { slice("(9,_)"_coord, rows); }) ==
        "coordinate (9,_) lies outside of (4,8):(8,1): index 9 is not in 0 to 3");
}
