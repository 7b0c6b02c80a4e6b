// The edges of the algebra: numbers at the end of 64 bits, empty and full layouts, strides that go backwards, and texts
// that are too deep. Everything here is refused in words or right.
#include <doctest/doctest.h>

#include <limits>
#include <sectile/layouts/rule_text.hpp>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

TEST_CASE("modes whose extent times stride does not fit 64 bits are not merged, and nothing wraps") {
  const layout l = "(2,2):(4611686018427387905,1)"_layout;
  CHECK(coalesce(l) == l);
  CHECK(coalesce("(2,2):(4611686018427387904,0)"_layout) == "(2,2):(4611686018427387904,0)"_layout);
  // Of an index without end, the last mode counts as longer than it is.
  const layout half = "(4611686018427387904,1):(1,4611686018427387904)"_layout;
  for (const std::int64_t i : {std::int64_t{0}, std::int64_t{1} << 61, (std::int64_t{1} << 62) + 5}) {
    CHECK(coalesce_unbounded(half)(i) == i);
  }
}

TEST_CASE("the empty layout is one value, however it is made") {
  const layout none = slice("(1,2)"_coord, "(4,8)"_layout);
  CHECK(none == empty_tree<layout>());
  CHECK(parse_layout("()") == none);
  CHECK(parse_layout(to_string(none)) == none);
  CHECK(layout_right("()"_shape) == none);
}

TEST_CASE("nothing is read behind the last leaf of a layout of the most") {
  constexpr layout full = [] {
    layout l = empty_tree<layout>();
    for (int k = 0; k < max_leaves; ++k) push_axis(l, {2, std::int64_t{1} << k});
    return wrap(l);
  }();
  constexpr int_tuple last = idx2crd(size(full) - 1, shape(full));
  constexpr layout all = make_layout(size(full));
  STATIC_CHECK(full(last) == size(full) - 1 && full(size(full) - 1) == size(full) - 1 && cosize(full) == size(full));
  STATIC_CHECK(coalesce(full) == all && right_inverse(full) == all && left_inverse(full) == all);
  STATIC_CHECK(left_inverse(mirrored(full)) == mirrored(all) && nullspace(full) == layout{});
  STATIC_CHECK(max_common_vector(full, full) == size(full) && complement(full, 2 * size(full))(1) == size(full));
  STATIC_CHECK(crd2idx(last, full) == size(full) - 1 && crd2idx(last, shape(full)) == size(full) - 1);
  STATIC_CHECK(composition(full, all) == all && stride(full).leaf[max_leaves - 1] == size(full) / 2);
}

TEST_CASE("a product of two modes is one mode where the repetitions have to be split") {
  CHECK(blocked_product("4:2"_layout, "6:1"_layout) == "((4,(2,3))):((2,(1,8)))"_layout);
  CHECK(raked_product("4:2"_layout, "6:1"_layout) == "(((2,3),4)):(((1,8),2))"_layout);
}

TEST_CASE("max_common_layout ends where either layout ends, and does not depend on their order") {
  CHECK(max_common_layout("2:1"_layout, "12:1"_layout) == "2:1"_layout);
  CHECK(max_common_layout("12:1"_layout, "2:1"_layout) == "2:1"_layout);
  CHECK(max_common_layout("(4,6):(1,8)"_layout, "(6,4):(1,12)"_layout) == "4:1"_layout);
  CHECK(max_common_layout("(6,4):(1,12)"_layout, "(4,6):(1,8)"_layout) == "4:1"_layout);
  CHECK(max_common_layout("(2,8):(8,1)"_layout, "(2,4,2):(8,1,4)"_layout) == "(8,2):(2,1)"_layout);
}

TEST_CASE("equal numbers in an order are taken from the left, so that the layout is compact") {
  CHECK(make_ordered_layout("(2,3)"_shape, "(0,0)"_shape) == "(2,3):(1,2)"_layout);
  CHECK(make_ordered_layout("(2,3,4)"_shape, "(1,0,1)"_shape) == "(2,3,4):(3,1,6)"_layout);
}

TEST_CASE("shapes with an extent of 0 have no coordinates") {
  CHECK(refusal([] { idx2crd(7, "(0,4)"_shape); }) == "shape (0,4): every extent must be at least 1");
  CHECK(refusal([] { idx2crd(7, "(4,_)"_shape); }) == "shape (4,_): every extent must be at least 1");
}

TEST_CASE("a composition that nests deeper than 100 is refused") {
  layout deep = "8:1"_layout;
  while (depth(deep) < max_depth) deep = wrap(deep);
  CHECK(refusal([&] { composition("(2,4):(1,5)"_layout, deep); }) ==
        "composition (2,4):(1,5) o " + to_string(deep) +
            " is refused: "
            "a layout or tuple may be nested at most 100 deep");
  CHECK(composition("8:3"_layout, deep)(7) == 21);
}

TEST_CASE("behind a swizzle, no operation leads below offset 0 or past 64 bits") {
  CHECK(refusal([] { logical_divide("Sw<1,0,1> o 4 o 5:-1"_swizzled, 2); }) ==
        "swizzle Sw<1,0,1> behind (2,3):(-1,-2): the lowest offset is -1, which has no bits to swap");
  CHECK(refusal([] { blocked_product("Sw<1,0,1> o 4:1"_swizzled, "3:-1"_layout); }) ==
        "swizzle Sw<1,0,1> behind ((4,3)):((1,-4)): the lowest offset is -8, which has no bits to swap");
  CHECK(refusal([] {
          with_swizzle("2:1"_layout, {1, 0, 1}, INT64_MAX);
        }) == "swizzle Sw<1,0,1> behind 2:1 and 9223372036854775807: offsets do not fit 64 bits");
  CHECK(refusal([] {
          with_swizzle("2:-1"_layout, {1, 0, 1}, -INT64_MAX);
        }).find("the lowest offset") != std::string::npos);
  CHECK(refusal([] { recast(swizzle{0, 62, 0}, 1 << 30, 1); }).find("Sw<0,92,0> is not a swizzle") == 0);
}

TEST_CASE("cosize behind a swizzle is exact, and found without looking at every element") {
  CHECK(cosize("Sw<1,0,1> o 2:3"_swizzled) == 3);      // offsets 0 and 3, which goes to 2
  CHECK(cosize("Sw<1,0,1> o 0 o 3:1"_swizzled) == 4);  // 2 goes to 3
  CHECK(cosize("Sw<3,4,3> o 1099511627776:1"_swizzled) == 1099511627776);
  CHECK(cosize("Sw<3,4,3> o 3298534883325 o 1099511627776:-3"_swizzled) == 3298534883327);
  CHECK(refusal([] { cosize("Sw<1,40,1> o 1099511627776:1"_swizzled); }).find("too many to look at") !=
        std::string::npos);
}

TEST_CASE("a recast behind a swizzle that would begin inside another element is refused") {
  // Elements 93 to 100 lie in wide elements 23, 24 and 25, which no two steps back from 25 are.
  CHECK(
      refusal([] { recast("Sw<1,4,2> o 100 o 8:-1"_swizzled, 1, 4); }) ==
      "recast of Sw<1,4,2> o 100 o 8:-1 from 1 to 4 bits is refused: a stride goes backwards inside an element, and no "
      "layout begins at the same place");
  CHECK(refusal([] { recast("Sw<1,4,2> o 25 o 2:-1"_swizzled, 4, 1); }).find("goes backwards") != std::string::npos);
  CHECK(recast("Sw<1,4,2> o 100 o 2:-4"_swizzled, 1, 4) == "Sw<1,2,2> o 25 o 2:-1"_swizzled);
  CHECK(recast("Sw<1,4,2> o 3 o (2,2):(1,-3)"_swizzled, 8, 4) == "Sw<1,5,2> o 6 o (4,2):(1,-6)"_swizzled);
}

TEST_CASE("tiles may lead as far as 64 bits count, and no further") {
  CHECK(reach_of(parse_tiler("9223372036854775807:1")) == std::numeric_limits<std::int64_t>::max());
  CHECK(refusal([] { reach_of(parse_tiler("<9223372036854775807:1,2:1>")); }) != "");
}

TEST_CASE("tilers that pick nothing are refused, and so are texts of them") {
  auto why = [](const std::string& text) { return refusal([&] { parse_tiler(text); }); };
  CHECK(why("()") == "position 0: a tile needs an extent in \"()\"");
  CHECK(why("  ()") == "position 2: a tile needs an extent in \"  ()\"");
  CHECK(why("<4,()>") == "position 3: a tile needs an extent in \"<4,()>\"");
  CHECK(why("<():()>") == "position 1: a tile needs an extent in \"<():()>\"");
  CHECK(why("<4,0>") == "position 3: every extent must be at least 1 in \"<4,0>\"");
  CHECK(why("(4,-1)") == "position 0: every extent must be at least 1 in \"(4,-1)\"");
  CHECK(why(std::string(100'000, '<')).find("position 101: nested more than 100 deep") == 0);
  CHECK(refusal([] { make_tiler(); }) == "a tiler needs at least one tile");
  CHECK(refusal([] { tiler{empty_tree<layout>()}; }) == "a layout of rank 0 is no tile");
  CHECK(refusal([] { tiler{empty_tree<int_tuple>()}; }) == "the empty shape () is no tiler");
}

TEST_CASE("a text whose length does not fit 31 bits is refused, not cut") {
  const char* text = "4:1";
  CHECK(try_parse_layout(text, (std::size_t{1} << 32) + 3).problem != nullptr);
  CHECK(try_parse_tuple(text, (std::size_t{1} << 32) + 1).problem != nullptr);
}

TEST_CASE("tiles and boxes whose bytes do not fit 32 bits are refused") {
  const operand_tile tile{.mn = 2147483640, .k = 2147483644, .element_bits = 32};
  CHECK(check(tile).rule == tile_rule::tile_bytes);
  const tma_box box{.rank = 5, .extent = {256, 256, 256, 256, 256}, .element_bits = 64};
  CHECK(check(box) == box_violation{box_rule::extent, 1, 256, 113});
  CHECK(message{}.add(check(box)) ==
        "box extent 256 of dimension 1 is not in 1 to 113, more than which does not fit shared memory");
  CHECK(check(tma_box{.rank = 2, .extent = {64, 256}, .element_bits = 32}).ok());
}
