// Swizzles and swizzled layouts.
#include <doctest/doctest.h>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

STATIC_CASE(byte_swizzle(swizzle_mode::b128) == swizzle{3, 4, 3} && byte_swizzle(swizzle_mode::none).bits == 0);
STATIC_CASE(span_bytes(swizzle_mode::none) == 16 && span_bytes(swizzle_mode::b128) == 128);
STATIC_CASE(pattern_bytes(swizzle_mode::none) == 128 && pattern_bytes(swizzle_mode::b32) == 256 &&
              pattern_bytes(swizzle_mode::b128) == 1024);
STATIC_CASE(recast(swizzle{3, 4, 3}, 8, 16) == swizzle{3, 3, 3} &&
              recast(swizzle{2, 3, 3}, 16, 4) == swizzle{2, 5, 3});
STATIC_CASE(recast(swizzle{0, 0, 3}, 8, 16) == swizzle{0, 0, 3});  // what exchanges nothing tears nothing apart

TEST_CASE("every small swizzle is an involution, keeps its period, and moves what it says") {
  for (int bits = 0; bits <= 3; ++bits) {
    for (int base = 0; base <= 3; ++base) {
      for (int shift = -4; shift <= 4; ++shift) {
        const swizzle s{bits, base, shift};
        if (!is_valid(s)) {
          CHECK((shift < 0 ? -shift : shift) < bits);
          continue;
        }
        bool good = true;
        for (std::int64_t x = 0; x < 4096; ++x) {
          std::int64_t expected = x;
          for (int b = 0; b < bits; ++b) {
            const int from = shift > 0 ? base + shift + b : base + b;
            const int to = shift > 0 ? base + b : base - shift + b;
            expected ^= (x >> from & 1) << to;
          }
          good = good && s(x) == expected && s(s(x)) == x && s(x + s.period()) == s(x) + s.period();
        }
        CHECK_MESSAGE(good, to_string(s));
      }
    }
  }
}

TEST_CASE("recast of a swizzle is the same permutation of memory") {
  for (const int bits : {8, 16, 32, 128}) {  // the last ones are the pieces that it exchanges
    const swizzle bytes{3, 4, 3};
    const swizzle elements = recast(bytes, 8, bits);
    for (std::int64_t x = 0; x < 512; ++x) CHECK(elements(x) * bits / 8 == bytes(x * bits / 8));
  }
}

TEST_CASE("slices of a swizzled layout") {
  for (const swizzled_layout& l :
       {parse_swizzled("Sw<3,0,3> o (8,8):(8,1)"), parse_swizzled("Sw<3,0,-3> o (8,8):(8,1)"),
        parse_swizzled("Sw<2,1,3> o 64 o ((2,2,2),(2,2,2)):((32,2,8),(4,1,16))")}) {
    for (int i = 0; i < 8; ++i) {
      const swizzled_layout row = slice(make_coord(i, _), l);
      const swizzled_layout column = slice(make_coord(_, i), l);
      for (int j = 0; j < 8; ++j) {
        CHECK(row(j) == l(i, j));
        CHECK(column(j) == l(j, i));
      }
    }
  }
}

TEST_CASE("inverses of swizzled layouts") {
  for (const char* text : {"Sw<1,0,2> o (4,4):(1,4)", "Sw<1,0,2> o (4,4):(4,1)", "Sw<3,0,3> o (8,8):(8,1)",
                           "Sw<2,0,-3> o (8,8):(1,8)", "Sw<3,3,3> o (8,64):(64,1)"}) {
    const swizzled_layout l = parse_swizzled(text);
    const swizzled_layout right = right_inverse(l);
    const swizzled_layout left = left_inverse(l);
    CHECK(size(right) == size(l));
    for (std::int64_t i = 0; i < size(l); ++i) {
      CHECK(l(right(i)) == i);
      CHECK(left(l(i)) == i);
    }
  }
}

TEST_CASE("a layout behind a swizzle, over all small ones: right or refused") {
  std::int64_t accepted = 0;
  std::int64_t wrong = 0;
  for (const layout& a : small_layouts(3, {2, 4, 8}, {1, 2, 4, 8, 16})) {
    for (const swizzle s :
         {swizzle{1, 0, 1}, swizzle{1, 1, 2}, swizzle{2, 0, 3}, swizzle{1, 0, -2}, swizzle{2, 1, -2}}) {
      try {
        const swizzled_layout r = composition(a, s);
        ++accepted;
        for (std::int64_t i = 0; i < size(a); ++i) wrong += r(i) != a(s(i));
      } catch (const layout_error&) {
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(accepted > 100);
}

TEST_CASE("a layout after a swizzled layout") {
  const layout a = "(8,8):(8,1)"_layout;
  const swizzled_layout b = composition(swizzle{2, 0, -3}, a);
  const swizzled_layout r = composition(a, b);
  for (std::int64_t i = 0; i < 64; ++i) CHECK(r(i) == a(b(i)));
}

TEST_CASE("the algebra acts on the layout inside") {
  const swizzled_layout l = "Sw<3,3,3> o (8,64):(64,1)"_swizzled;
  const swizzled_layout tiles = zipped_divide(l, make_tiler(8, 16));
  CHECK(tiles == "Sw<3,3,3> o ((8,16),(1,4)):((64,1),(0,16))"_swizzled);
  CHECK(tile_to_shape(l, "(64,64)"_shape) == "Sw<3,3,3> o ((8,8),(64,1)):((64,512),(1,0))"_swizzled);
  CHECK(recast(l, 16, 8) == "Sw<3,4,3> o (8,128):(128,1)"_swizzled);
  CHECK(is_bijective(l));
  CHECK(is_injective(l));
  CHECK(rank(l) == 2);
  CHECK(coalesce(l, "(1,1)"_shape) == l);
  CHECK(composition(l, make_tiler(4, _)) == "Sw<3,3,3> o (4,64):(64,1)"_swizzled);
}

TEST_CASE("a layout has one cosize, whether or not a swizzle that does nothing stands before it") {
  for (const char* text : {"4:-1", "(4,8):(1,-4)", "(3,(2,2)):(-7,(1,0))", "(4,8):(8,1)", "1:0"}) {
    CHECK_MESSAGE(cosize(parse_swizzled(text)) == cosize(parse_layout(text)), text);
  }
}

TEST_CASE("cosize of a swizzled layout is its largest offset + 1") {
  for (const char* text :
       {"Sw<3,0,3> o 12:1", "Sw<2,0,3> o 8 o 3:1", "Sw<1,2,-2> o 9:1", "Sw<3,3,3> o (8,64):(64,1)"}) {
    const swizzled_layout l = parse_swizzled(text);
    std::int64_t largest = 0;
    for (std::int64_t i = 0; i < size(l); ++i) largest = std::max(largest, l(i));
    CHECK(cosize(l) == largest + 1);
  }
}
