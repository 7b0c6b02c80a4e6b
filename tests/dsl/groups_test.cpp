// Groups: the map that has all of their rows, and the walk over their tiles. What the proofs of both would not notice.
#include <doctest/doctest.h>

#include <sectile/dsl/proofs/walk.hpp>
#include <string>

#include "tests/programs/groups.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr group_place one_row_more(int begin, int end, int rows) {
  group_place g = place_group(begin, end, rows);
  return {g.shift - 1, g.place, g.size};
}
constexpr group_place one_row_less(int begin, int end, int rows) {
  group_place g = place_group(begin, end, rows);
  return {g.shift + 1, g.place, g.size};
}
constexpr group_place from_its_begin(int begin, int end, int rows) {
  group_place g = place_group(begin, end, rows);
  return {g.shift, g.size > 0 ? begin : 0, g.size};
}
constexpr group_place whatever_ends_say(int begin, int end, int) { return {group_place::beyond - (end - begin), end}; }

TEST_CASE("a map of groups has the rows of each where they are, and no others") {
  STATIC_CHECK(check_group_map().holds());
  STATIC_CHECK(!check_group_map(one_row_more).holds());
  STATIC_CHECK(!check_group_map(one_row_less).holds());
  STATIC_CHECK(!check_group_map(from_its_begin).holds());
  STATIC_CHECK(!check_group_map(whatever_ends_say).holds());
  const std::string says = check_group_map(one_row_more).says.text;
  CHECK(says.find("in a matrix of 5 rows is read at byte") != std::string::npos);
}

using kernel = groups::rows<bf16, groups::pairs>;
constexpr int cluster_rows[]{1, 0, 5, 2};

/// The walk over groups whose items and tiles these functions give.
template <class ItemsOf, class At>
constexpr bool walks(ItemsOf items_of, At at) {
  return check_group_walk(plan_of<kernel>, cluster_rows, 3, items_of, at).holds();
}
constexpr work_grid grid = [] {
  work_grid g{};
  g.cols = 3;
  return g;
}();
constexpr auto items = [](int size) { return items_of_group<kernel>(grid, size); };
constexpr auto place = [](int e, int item, int size) { return locate_in_group<kernel>(e, item, grid, size); };

TEST_CASE("clusters walk over each tile of each group once") {
  STATIC_CHECK(check_group_walk<kernel>().holds());
  STATIC_CHECK(walks(items, place));
  STATIC_CHECK(!walks([](int size) { return items(size) - (size > 300); }, place));
  STATIC_CHECK(!walks([](int size) { return items(size) + 1; }, place));
  STATIC_CHECK(!walks(items, [](int e, int item, int size) { return place(e, item / 2, size); }));
  STATIC_CHECK(!walks(items, [](int e, int item, int size) { return place(e + 1, item, size); }));
  STATIC_CHECK(!walks(items, [](int e, int item, int size) {
    auto at = place(e, item, size);
    at.at[1] += 1;
    return at;
  }));
}

TEST_CASE("a walk goes on from where it was") {
  constexpr int ends[]{2, 2, 7};
  const auto end_of = [&](int e) { return ends[e]; };
  const auto rows_are_items = [](const group_place& g) { return g.size; };
  group_walk walk{};
  CHECK(walk.find(0, 3, 7, end_of, rows_are_items) == 0);
  CHECK(walk.find(1, 3, 7, end_of, rows_are_items) == 1);
  CHECK(walk.group == 0);
  CHECK(walk.find(4, 3, 7, end_of, rows_are_items) == 2);
  CHECK(walk.group == 2);
  CHECK(walk.place(7).begin() == 2);
  CHECK(walk.find(7, 3, 7, end_of, rows_are_items) == -1);
  CHECK(group_walk{}.find(0, 0, 7, end_of, rows_are_items) == -1);
}

}  // namespace
