// Bounds of offsets and elements found by offset, against all offsets one by one; and fragments known by their layout.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <sectile/layouts/notation.hpp>
#include <sectile/layouts/offset_finder.hpp>
#include <sectile/layouts/text.hpp>
#include <sectile/layouts/wgmma_fragment.hpp>
#include <vector>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

namespace {

struct listed {
  std::map<std::int64_t, std::int64_t> first;  // offset -> first element

  explicit listed(const swizzled_layout& l) {
    for (std::int64_t i = 0; i < size(l); ++i) first.try_emplace(l(i), i);
  }
  std::int64_t lowest() const { return first.begin()->first; }
  std::int64_t highest() const { return first.rbegin()->first; }
};

/// Plain layouts, and those of them that may stand behind a swizzle behind some.
std::vector<swizzled_layout> some_layouts() {
  std::vector<swizzled_layout> all;
  for (const layout& l : small_layouts(2, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 8, -1, -3})) {
    all.push_back({swizzle{0, 4, 3}, 0, l});
    for (const swizzle s : {swizzle{1, 0, 1}, swizzle{2, 1, 2}, swizzle{2, 0, -2}}) {
      for (const std::int64_t offset : {0, 5, 24}) {
        const bool negative = bounds_of_offsets({swizzle{0, 4, 3}, offset, l}).lowest < 0;
        if (!negative) all.push_back(with_swizzle(l, s, offset));
      }
    }
  }
  return all;
}

}  // namespace

STATIC_CASE(bounds_of_offsets({swizzle{0, 4, 3}, 0, "(4,8):(-1,4)"_layout}) == offset_bounds{-3, 32});
STATIC_CASE(bounds_of_offsets("Sw<3,4,3> o 0 o 4:1"_swizzled) == offset_bounds{0, 4});
STATIC_CASE(bounds_of_offsets("Sw<3,4,3> o 0 o 70000:1"_swizzled) == offset_bounds{0, 69 * 1024});  // whole periods
STATIC_CASE(bounds_of_offsets("Sw<3,4,3> o 0 o 64513:1"_swizzled) == offset_bounds{0, 64513});  // 64 of them, not whole

TEST_CASE("the bounds hold all offsets, and are the offsets' own where they are promised to be") {
  for (const swizzled_layout& l : some_layouts()) {
    const listed all(l);
    const offset_bounds bounds = bounds_of_offsets(l);
    CHECK_MESSAGE(bounds.lowest + bounds.count - 1 == all.highest(), to_string(l));
    if (l.pattern.bits == 0) {
      CHECK_MESSAGE(bounds.lowest == all.lowest(), to_string(l));
    } else {
      CHECK_MESSAGE(bounds.lowest <= all.lowest(), to_string(l));
      CHECK_MESSAGE(all.lowest() - bounds.lowest < l.pattern.period(), to_string(l));
    }
  }
  const offset_bounds large = bounds_of_offsets("Sw<3,4,3> o 0 o (1024,1000):(1024,1)"_swizzled);
  CHECK(large == offset_bounds{0, 1024 * 1024});
}

TEST_CASE("an element is found by its offset, and nothing where there is none") {
  int by_inverse = 0, by_list = 0;
  for (const swizzled_layout& l : some_layouts()) {
    const listed all(l);
    const offset_finder finder(l);
    CHECK(finder.works());
    const bool has_inverse = refusal([&] { left_inverse(l.inner); }).empty();
    ++(has_inverse ? by_inverse : by_list);
    int wrong = 0;
    for (std::int64_t offset = all.lowest() - 9; offset <= all.highest() + 9; ++offset) {
      const auto expected = all.first.find(offset);
      const std::int64_t found = finder.find(offset);
      if (expected == all.first.end() ? found != -1 : found < 0 || l(found) != offset) ++wrong;
      if (!has_inverse && found >= 0 && found != expected->second) ++wrong;
    }
    CHECK_MESSAGE(wrong == 0, to_string(l));
  }
  CHECK(by_inverse > 100);
  CHECK(by_list > 100);
  CHECK(!offset_finder({swizzle{0, 4, 3}, 0, "(1000,1000):(1,1)"_layout}).works());
  CHECK(offset_finder({swizzle{0, 4, 3}, 0, "(1048576,1048576):(1,1048576)"_layout}).find(1048577) == 1048577);
}

TEST_CASE("a fragment is known by its layout, and the formulas agree with it") {
  const auto agrees = [](const layout& l, const wgmma_fragment& expected) {
    const auto found = fragment_of(l, expected.element_bits);
    REQUIRE(found.has_value());
    CHECK(*found == expected);
    int wrong = 0;
    const auto threads = warpgroup_threads;
    for (std::int64_t i = 0; i < size(l); ++i) {
      const coord at = position_of_offset(l(i));
      const register_slot slot = slot_at(*found, at.row, at.col);
      wrong += slot == register_slot{static_cast<int>(i % threads), static_cast<int>(i / threads) / parts(*found),
                                     static_cast<int>(i / threads) % parts(*found)}
                   ? 0
                   : 1;
    }
    CHECK(wrong == 0);
  };
  for (const int columns : {8, 24, 64, 256}) {
    agrees(d_layout(columns), {fragment_kind::accumulator, columns, 32});
    agrees(d_layout(columns), {fragment_kind::accumulator, columns, 16});
  }
  for (const int bits : {1, 8, 32}) agrees(a_layout(bits), {fragment_kind::operand_a, a_columns(bits), bits});
  agrees(a_layout(16), {fragment_kind::accumulator, 16, 16});  // the two are one
  CHECK(!fragment_of("(4,8):(8,1)"_layout, 16));
  CHECK(!fragment_of("(64,8):(1,64)"_layout, 32));
  CHECK(fragment_of(d_layout(64), 8)->element_bits == 32);
}
