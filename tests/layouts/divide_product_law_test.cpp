// Division and products, checked on every small pair.
#include <doctest/doctest.h>

#include <algorithm>

#include "small_layouts.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

namespace {

struct tally {
  std::int64_t accepted = 0;
  std::int64_t wrong = 0;
  std::string example;
};

template <class Law>
tally check_all(const std::vector<layout>& as, const std::vector<layout>& bs, Law holds) {
  tally t;
  for (const layout& a : as) {
    for (const layout& b : bs) {
      bool good = true;
      try {
        good = holds(a, b);
        ++t.accepted;
      } catch (const layout_error&) {
      }
      if (good) continue;
      ++t.wrong;
      if (t.example.empty()) t.example = to_string(a) + " and " + to_string(b);
    }
  }
  return t;
}

}  // namespace

TEST_CASE("logical_divide regroups: the tile is A o B, and every element of A is reached once") {
  const tally t = check_all(small_layouts(2, {2, 4, 6}, {1, 2, 4, 6, 12}),
                            small_layouts(2, {1, 2, 3, 4}, {1, 2, 3, 4, 6}), [](const layout& a, const layout& b) {
                              const layout r = logical_divide(a, b);
                              if (rank(r) != 2 || mode(r, 0) != composition(a, b)) return false;
                              if (size(r) < size(a)) return false;
                              std::vector<std::int64_t> before = offsets(a);
                              std::vector<std::int64_t> after = offsets(r);
                              std::sort(before.begin(), before.end());
                              std::sort(after.begin(), after.end());
                              return size(r) == size(a)
                                         ? before == after
                                         : std::includes(after.begin(), after.end(), before.begin(), before.end());
                            });
  INFO("first failure: ", t.example);
  CHECK(t.wrong == 0);
  CHECK(t.accepted > 1000);
}

TEST_CASE("logical_product repeats: the block stays, its repetitions do not overlap, and they follow B") {
  const tally t = check_all(small_layouts(2, {1, 2, 3, 4}, {1, 2, 3, 4, 8}),
                            small_layouts(2, {1, 2, 3, 4}, {1, 2, 3, 4}), [](const layout& a, const layout& b) {
                              const layout r = logical_product(a, b);
                              const layout places = complement(a, 8 * size(a) * cosize(b));
                              if (rank(r) != 2 || mode(r, 0) != a || !compatible(b, mode(r, 1))) return false;
                              for (std::int64_t i = 0; i < size(b); ++i) {
                                if (mode(r, 1)(i) != places(b(i))) return false;
                              }
                              return !is_injective(b) || !is_injective(a) || is_injective(r);
                            });
  INFO("first failure: ", t.example);
  CHECK(t.wrong == 0);
  CHECK(t.accepted > 1000);
}

TEST_CASE("zipped, tiled and flat forms have the elements of the logical form") {
  const tally t = check_all(small_layouts(2, {4, 6}, {1, 2, 4, 24}), small_layouts(2, {1, 2, 3, 4}, {1, 2}),
                            [](const layout& a, const layout& b) {
                              if (rank(a) < rank(b) || depth(b) == 0) return true;
                              const tiler by_mode = make_tiler(mode(b, 0), mode(b, 1));
                              const layout logical = logical_divide(a, by_mode);
                              const layout zipped = zipped_divide(a, by_mode);
                              const layout tiled = tiled_divide(a, by_mode);
                              const layout flat = flat_divide(a, by_mode);
                              for (std::int64_t t0 = 0; t0 < size(mode(b, 0)); ++t0) {
                                for (std::int64_t r1 = 0; r1 < size(mode(zipped, 1, 1)); ++r1) {
                                  const std::int64_t expected =
                                      logical(make_coord(make_coord(t0, 0), make_coord(0, r1)));
                                  if (zipped(make_coord(make_coord(t0, 0), make_coord(0, r1))) != expected)
                                    return false;
                                  if (tiled(make_coord(make_coord(t0, 0), 0, r1)) != expected) return false;
                                  if (flat(t0, 0, 0, r1) != expected) return false;
                                }
                              }
                              return size(zipped) == size(logical) && rank(tiled) == 3 && rank(flat) == 4;
                            });
  INFO("first failure: ", t.example);
  CHECK(t.wrong == 0);
  CHECK(t.accepted > 100);
}

TEST_CASE("blocked and raked products hold the same elements, block inside or outside") {
  const tally t = check_all(small_layouts(2, {1, 2, 3}, {1, 2, 3, 6}), small_layouts(2, {1, 2, 3}, {1, 2, 3}),
                            [](const layout& a, const layout& b) {
                              const layout blocked = blocked_product(a, b);
                              const layout raked = raked_product(a, b);
                              const int r = std::max(rank(a), rank(b));
                              if (rank(blocked) != r || rank(raked) != r) return false;
                              for (int i = 0; i < r; ++i) {
                                if (mode(blocked, i, 0) != mode(raked, i, 1)) return false;
                                if (mode(blocked, i, 1) != mode(raked, i, 0)) return false;
                                if (mode(blocked, i, 0) != mode(append_to_rank(a, r), i)) return false;
                              }
                              return true;
                            });
  INFO("first failure: ", t.example);
  CHECK(t.wrong == 0);
  CHECK(t.accepted > 1000);
}

TEST_CASE("division, worked examples") {
  CHECK(logical_divide("(4,2,3):(2,1,8)"_layout, "4:2"_layout) == "((2,2),(2,3)):((4,1),(2,8))"_layout);
  const layout l = "(9,(4,8)):(59,(13,1))"_layout;
  const tiler t = "<3:3,(2,4):(1,8)>"_tiler;
  CHECK(logical_divide(l, t) == "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"_layout);
  CHECK(zipped_divide(l, t) == "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"_layout);
  CHECK(tiled_divide(l, t) == "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"_layout);
  CHECK(flat_divide(l, t) == "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"_layout);
  CHECK(zipped_divide("(8,8)"_layout, make_tiler(_, 4)) == "((1,4),(8,2)):((0,8),(1,32))"_layout);
  CHECK(flat_divide("(8,8,5)"_layout, "(2,4)"_shape) == "(2,4,4,2,5):(1,8,2,32,64)"_layout);
  CHECK(logical_divide("(8,8,5)"_layout, make_tiler(_, 4)) == "(8,(4,2),5):(1,(8,32),64)"_layout);
  CHECK(logical_divide("(32,4,4)"_layout, 64) == "(64,8):(1,64)"_layout);
}

TEST_CASE("tiles that do not divide evenly reach beyond the layout") {
  CHECK(logical_divide("48"_layout, 32) == "(32,2):(1,32)"_layout);
  CHECK(logical_divide("2"_layout, 32) == "(32,1):(1,0)"_layout);
  CHECK(evenly_divides("(64,32)"_layout, "(16,8)"_shape));
  CHECK(evenly_divides("(64,32)"_layout, make_tiler(_, 8)));
  CHECK(!evenly_divides("(64,32)"_layout, "(16,12)"_shape));
  CHECK(!evenly_divides("48"_layout, 32));
}

TEST_CASE("products, worked examples") {
  CHECK(logical_product("(2,2):(4,1)"_layout, "6:1"_layout) == "((2,2),(2,3)):((4,1),(2,8))"_layout);
  CHECK(blocked_product("(2,5):(5,1)"_layout, "(3,4):(1,3)"_layout) == "((2,3),(5,4)):((5,10),(1,30))"_layout);
  CHECK(raked_product("(2,5):(5,1)"_layout, "(3,4):(1,3)"_layout) == "((3,2),(4,5)):((10,5),(30,1))"_layout);
  CHECK(blocked_product("4:1"_layout, "3:1"_layout) == "((4,3)):((1,4))"_layout);
  CHECK(zipped_product("(2,3)"_layout, "<4:1,6:1>"_tiler) == "((2,3),(4,(2,3))):((1,2),(2,(1,6)))"_layout);
  CHECK(tiled_product("(2,3)"_layout, "<4:1,6:1>"_tiler) == "((2,3),4,(2,3)):((1,2),2,(1,6))"_layout);
  CHECK(flat_product("(2,3)"_layout, "<4:1,6:1>"_tiler) == "(2,3,4,(2,3)):(1,2,2,(1,6))"_layout);
}

TEST_CASE("ordered layouts and tiles to a shape") {
  CHECK(make_ordered_layout("(2,2,2,2)"_shape, "(0,2,3,1)"_shape) == "(2,2,2,2):(1,4,8,2)"_layout);
  CHECK(make_ordered_layout("(2,3,4,5)"_shape, "(2,67,42,50)"_shape) == "(2,3,4,5):(1,40,2,8)"_layout);
  CHECK(make_ordered_layout("((2,3),4)"_shape, "(1,0)"_shape) == "((2,3),4):((4,8),1)"_layout);
  CHECK(tile_to_shape("(8,8):(8,1)"_layout, "(16,8)"_shape) == "((8,2),(8,1)):((8,64),(1,0))"_layout);
  CHECK(tile_to_shape("(8,8):(8,1)"_layout, "(16,16,4)"_shape, "(1,0,2)"_shape) ==
        "((8,2),(8,2),(1,4)):((8,128),(1,64),(0,256))"_layout);
  CHECK(tile_to_shape("4:1"_layout, 12) == "((4,3)):((1,4))"_layout);
  CHECK(compatible("(16,16,4)"_shape, shape(tile_to_shape("(8,8):(8,1)"_layout, "(16,16,4)"_shape))));
}
