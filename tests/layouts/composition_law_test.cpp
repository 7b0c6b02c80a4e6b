// Composition, checked on every small pair: R(i) == A(B(i)), or a refusal for which no layout exists.
#include <doctest/doctest.h>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

namespace {

/// Whether 0 = f[0], f[1], ..., f[n-1] is a layout: its first run must divide n and repeat.
bool is_layout_sequence(std::vector<std::int64_t> f) {
  while (f.size() > 1) {
    std::size_t run = 1;
    while (run < f.size() && f[run] == static_cast<std::int64_t>(run) * f[1]) ++run;
    if (f.size() % run != 0) return false;
    std::vector<std::int64_t> starts;
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (f[i] != f[i - i % run] + f[i % run]) return false;
      if (i % run == 0) starts.push_back(f[i]);
    }
    f = starts;
  }
  return true;
}

/// Whether some layout with the profile of B, or a finer one, is A o B. Its values along each leaf of B are given,
/// and it is additive over the leaves, so there is no choice.
bool composition_exists(const layout& a, const layout& b) {
  std::vector<std::vector<std::int64_t>> along;
  std::int64_t index_stride = 1;
  for (int k = 0; k < b.form.leaves; ++k) {
    auto& f = along.emplace_back();
    for (std::int64_t i = 0; i < b.leaf[k].shape; ++i) f.push_back(a(b(i * index_stride)));
    if (!is_layout_sequence(f)) return false;
    index_stride *= b.leaf[k].shape;
  }
  for (std::int64_t i = 0; i < size(b); ++i) {
    std::int64_t sum = 0;
    std::int64_t rest = i;
    for (const auto& f : along) {
      sum += f[static_cast<std::size_t>(rest) % f.size()];
      rest /= static_cast<std::int64_t>(f.size());
    }
    if (sum != a(b(i))) return false;
  }
  return true;
}

/// Whether A's modes lie so that a carry out of one and a carry out of another may cancel: stepping over the end of
/// a mode moves the offset up for one and down for the other.
bool carries_may_cancel(const layout& a) {
  const layout flat = coalesce_unbounded(a);
  bool up = false;
  bool down = false;
  for (int k = 0; k + 1 < flat.form.leaves; ++k) {
    const std::int64_t jump = flat.leaf[k + 1].stride - flat.leaf[k].shape * flat.leaf[k].stride;
    (jump > 0 ? up : down) = true;
  }
  return up && down;
}

struct tally {
  std::int64_t accepted = 0;
  std::int64_t refused = 0;
  std::int64_t wrong = 0;
  std::int64_t refused_without_need = 0;
  std::string example;
};

tally check_all(const std::vector<layout>& as, const std::vector<layout>& bs) {
  tally result;
  for (const layout& a : as) {
    for (const layout& b : bs) {
      const attempt r = try_composition(a, b);
      bool good = true;
      if (r) {
        ++result.accepted;
        good = compatible(b, r.value);
        for (std::int64_t i = 0; i < size(b) && good; ++i) good = r.value(i) == a(b(i));
        if (!good) ++result.wrong;
      } else {
        ++result.refused;
        good = carries_may_cancel(a) || !composition_exists(a, b);
        if (!good) ++result.refused_without_need;
      }
      if (!good && result.example.empty()) result.example = to_string(a) + " o " + to_string(b);
    }
  }
  return result;
}

void require_law(const tally& t) {
  INFO("first failure: ", t.example);
  CHECK(t.wrong == 0);
  CHECK(t.refused_without_need == 0);
  CHECK(t.accepted > 1000);
  CHECK(t.refused > 1000);
}

}  // namespace

TEST_CASE("composition of every small pair of two modes is right, and refused only if no layout is") {
  require_law(check_all(small_layouts(2, {1, 2, 3, 4, 6}, {0, 1, 2, 3, 4, 5}),
                        small_layouts(2, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 6})));
}

TEST_CASE("a composition that exists only because carries cancel is refused") {
  CHECK(composition_exists("(3,3,2):(1,2,7)"_layout, "3:8"_layout));
  CHECK(!try_composition("(3,3,2):(1,2,7)"_layout, "3:8"_layout));
}

TEST_CASE("composition of every small layout of three modes with one of two") {
  require_law(check_all(small_layouts(3, {2, 3, 4}, {1, 2, 7}), small_layouts(2, {2, 3, 4, 6}, {1, 2, 3, 4, 8})));
}

TEST_CASE("composition with every small layout of three modes") {
  require_law(check_all(small_layouts(2, {2, 4, 6}, {1, 3, 8}), small_layouts(3, {1, 2, 3}, {1, 2, 4})));
}

TEST_CASE("composition with strides of both signs is right wherever it is accepted") {
  const tally t =
      check_all(small_layouts(2, {2, 3, 4}, {-3, -1, 0, 1, 4}), small_layouts(2, {1, 2, 3, 4}, {-4, -1, 1, 2}));
  INFO("first failure: ", t.example);
  CHECK(t.wrong == 0);
  CHECK(t.accepted > 1000);
}

TEST_CASE("pairs that CuTe composes wrongly are refused") {
  CHECK(!try_composition("(4,6,8):(2,3,5)"_layout, "6:3"_layout));
  CHECK(!try_composition("(6,2):(1,7)"_layout, "(3,2):(2,3)"_layout));
  CHECK(try_composition("(4,6,8):(2,3,5)"_layout, "6:3"_layout).law == algebra_law::runs_divide);
  CHECK(try_composition("(6,2):(1,7)"_layout, "(3,2):(2,3)"_layout).law == algebra_law::no_carry);
}

STATIC_CASE(!try_composition("(4,6,8):(2,3,5)"_layout, "6:3"_layout));
STATIC_CASE(!try_composition("(6,2):(1,7)"_layout, "(3,2):(2,3)"_layout));

TEST_CASE("steps that cross a mode are composed exactly where that is possible") {
  CHECK(composition("(5,4):(1,100)"_layout, "4:3"_layout) == "(2,2):(3,101)"_layout);  // 0, 3, 101, 104
  CHECK(composition("(4,6):(1,10)"_layout, "3:5"_layout) == "3:11"_layout);
  CHECK(composition("(8,8):(8,1)"_layout, "3:3"_layout) == "3:24"_layout);
  CHECK(!try_composition("(8,8):(8,1)"_layout, "4:3"_layout));
}

TEST_CASE("the last mode of A goes on beyond its extent") {
  CHECK(composition("(4,3):(3,1)"_layout, "24:1"_layout) == "(4,6):(3,1)"_layout);
  CHECK(composition("(4,3,1):(3,1,0)"_layout, "24:1"_layout) == "(4,3,2):(3,1,0)"_layout);
  CHECK(composition("(4,3):(3,1)"_layout, "8:1"_layout) == "(4,2):(3,1)"_layout);
  CHECK(composition("1:0"_layout, "4:1"_layout) == "4:0"_layout);
}

TEST_CASE("composition keeps the nesting of B") {
  CHECK(composition("(10,2):(16,4)"_layout, "(5,4):(1,5)"_layout) == "(5,(2,2)):(16,(80,4))"_layout);
  CHECK(composition("(6,2):(8,2)"_layout, "(4,3):(3,1)"_layout) == "((2,2),3):((24,2),8)"_layout);
  CHECK(composition("20:2"_layout, "(5,4):(4,1)"_layout) == "(5,4):(8,2)"_layout);
  CHECK(composition("(8,8):(8,1)"_layout, "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"_layout) ==
        "((2,2,2),(2,2,2)):((8,2,32),(1,16,4))"_layout);
  CHECK(composition("(4,6,8,10):(2,3,5,7)"_layout, "6:12"_layout) == "(2,3):(9,5)"_layout);
  CHECK(composition("((4,2)):((1,16))"_layout, "(4,2):(2,1)"_layout) == "((2,2),2):((2,16),1)"_layout);
  CHECK(composition("(8,8)"_layout, "((4)):((2))"_layout) == "((4)):((2))"_layout);
}

TEST_CASE("negative strides of B count backwards along A") {
  CHECK(composition("4:-1"_layout, "4:1"_layout) == "4:-1"_layout);
  CHECK(composition("4:-1"_layout, "4:-1"_layout) == "4:1"_layout);
  CHECK(composition("(1,(2,4)):(0,(-1,512))"_layout, "2:-1"_layout) == "2:1"_layout);
  CHECK(composition("(1,(2,4)):(0,(-1,512))"_layout, "4:-1"_layout) == "(2,2):(1,-512)"_layout);
}

TEST_CASE("composition mode by mode") {
  CHECK(composition("(12,(4,8)):(59,(13,1))"_layout, "<3:4,8:2>"_tiler) == "(3,(2,4)):(236,(26,1))"_layout);
  CHECK(composition("(12,(4,8)):(59,(13,1))"_layout, "(3,8)"_shape) == "(3,(4,2)):(59,(13,1))"_layout);
  CHECK(composition("(12,(4,8)):(59,(13,1))"_layout, make_tiler(_, 8)) == "(12,(4,2)):(59,(13,1))"_layout);
  CHECK(composition("(12,(4,8)):(59,(13,1))"_layout, make_tiler(_, make_tiler(2, _))) ==
        "(12,(2,8)):(59,(13,1))"_layout);
  CHECK(composition("(12,4,8)"_layout, make_tiler(3)) == "(3):(1)"_layout);  // modes without a tile are dropped
  CHECK(composition("(12,4)"_layout, 3) == "3:1"_layout);
}
