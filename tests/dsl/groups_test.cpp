// Groups: the map that has all of their rows, and the walk over their tiles. What the proofs of both would not notice.
#include <doctest/doctest.h>

#include <memory>
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
  return check_group_walk(plan_of<kernel>, cluster_rows, 3, 1, items_of, at).holds();
}
constexpr work_grid grid = [] {
  work_grid g{};
  g.cols = 3;
  return g;
}();
constexpr body_arguments<kernel> sizes{};
constexpr auto items = [](int size) { return items_of_group<kernel>(grid, sizes, size); };
constexpr auto place = [](int e, int item, int size) { return locate_in_group<kernel>(e, item, grid, sizes, size); };

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

struct last_rows_first : kernel {
  static constexpr configuration how = [] {
    configuration c = kernel::how;
    c.rows = traversal::reversed;
    return c;
  }();
};
TEST_CASE("clusters walk over the rows of a group from the last on, if that is their order") {
  STATIC_CHECK(check_group_walk<last_rows_first>().holds());
  constexpr int cluster = plan_of<kernel>.how.cluster.rows, rows = 3 * cluster;  // in tiles
  constexpr int size = (rows - 1) * plan_of<kernel>.operand[plan_of<kernel>.work].facts.rows() + 1;
  constexpr auto row_of = [](int item) { return locate_in_group<last_rows_first>(0, item, grid, {}, size).at[1]; };
  STATIC_CHECK(row_of(0) == 2 * cluster);  // two of the three are a band, of three columns
  STATIC_CHECK(row_of(1) == cluster);
  STATIC_CHECK(row_of(6) == 0);
}

/// Rows of O in heads, of which two are visited together.
struct heads_in_pairs : groups::rows_meet_others<groups::scoring> {
  static constexpr configuration how = [] {
    configuration c = groups::rows_meet_others<groups::scoring>::how;
    c.batches = 2;
    c.rows = traversal::reversed;
    return c;
  }();
};
TEST_CASE("matrices of a group are visited one after the other, or some together") {
  using alone = groups::rows_meet_others<groups::scoring>;
  STATIC_CHECK(check_group_walk<alone>().holds());
  STATIC_CHECK(check_group_walk<heads_in_pairs>().holds());
  constexpr int matrices = 3, rows = 2,
                size = (rows - 1) * plan_of<alone>.operand[plan_of<alone>.work].facts.rows() + 1;
  const auto visited = [&]<class K>(const K&, int item) {
    body_arguments<K> all{};
    handle_access::tile_count(all.template at<plan_of<K>.work>())[1] = matrices;
    work_grid one_column{};
    one_column.cols = 1;
    CHECK(items_of_group<K>(one_column, all, size) == matrices * rows);
    const auto at = locate_in_group<K>(4, item, one_column, all, size);
    CHECK(at.at[0] == 4);
    return 10 * at.at[1] + at.at[2];  // matrix and row
  };
  const int one_by_one[]{0, 1, 10, 11, 20, 21}, in_pairs[]{1, 11, 0, 10, 21, 20};
  for (int item = 0; item < matrices * rows; ++item) {
    CHECK(visited(alone{}, item) == one_by_one[item]);
    CHECK(visited(heads_in_pairs{}, item) == in_pairs[item]);
  }
}

TEST_CASE("a walk goes on from where it was") {
  constexpr int ends[]{2, 2, 7};
  const auto bounds_of = [&](int e, int before) { return bounds_of_group(false, e, before, ends[e], 0); };
  const auto rows_are_items = [](const group_place& g) { return g.size; };
  group_walk walk{};
  CHECK(walk.find(0, 3, 7, bounds_of, rows_are_items) == 0);
  CHECK(walk.find(1, 3, 7, bounds_of, rows_are_items) == 1);
  CHECK(walk.group == 0);
  CHECK(walk.find(4, 3, 7, bounds_of, rows_are_items) == 2);
  CHECK(walk.group == 2);
  CHECK(walk.place(7).begin() == 2);
  CHECK(walk.find(7, 3, 7, bounds_of, rows_are_items) == -1);
  CHECK(group_walk{}.find(0, 0, 7, bounds_of, rows_are_items) == -1);
}

/// What is said of a plan of a kernel with groups, once it has been changed.
template <class K, class Check, class Change>
std::string refused(Check check, Change change) {
  auto p = std::make_unique<plan>(plan_of<K>);
  change(*p);
  p->cuts = find_cuts(*p);
  return check(*p).says.text;
}

TEST_CASE("what does not go with groups is refused, also when it runs") {
  using gated = groups::gated<groups::plain>;
  const auto of_groups = [](auto change) { return refused<gated>(check_groups, change); };
  CHECK(of_groups([](plan&) {}) == "");
  const auto has = [](const std::string& says, const char* part) { CHECK_MESSAGE(says.find(part) == 0, says); };
  const int x = 0, gate = 1, of_row = 3, of_col = 4, ends = plan_of<gated>.cuts.ends[0], work = plan_of<gated>.work;

  has(of_groups([&](plan& p) { p.operand[ends].facts.modes = 2; }),
      "operand ends: group_ends<\"ends(E)\", \"T\">() has one mode");
  has(of_groups([&](plan& p) { p.operand[ends].facts.cuts[0] = 'Q'; }),
      "operand ends cuts Q into groups, a mode that no other operand has");
  has(of_groups([&](plan& p) { p.operand[x].facts.mode_name[0][0] = 'F'; }),
      "operand X(F,T,K): T is cut into groups by ends: these are rows of a matrix, whose first mode is E: X(E,F,T,K)");
  has(of_groups([&](plan& p) { p.operand[x].facts.mode_name[2][0] = 'T'; }),
      "operand X(E,T,T): T is cut into groups by ends, and so is T: a matrix has rows of groups alone");
  has(of_groups([&](plan& p) { p.operand[x].facts.order = col_major; }),
      "operand X(E,T,K): T is cut into groups by ends, which are rows of a dense row-major matrix: not col_major");
  has(of_groups([&](plan& p) { p.operand[of_row].facts.mode_name[0][0] = 'F'; }),
      "operand w(F,T): T is cut into groups by ends: it is the last mode of a vector, which has E as well: w(E,F,T)");
  CHECK(of_groups([&](plan& p) { p.operand[of_row].facts.kind = operand_kind::vector_output; }) == "");
  has(of_groups([&](plan& p) { p.operand[of_col].facts.kind = operand_kind::vector_output; }),
      "operand b(E,N): a group along T may have no tile beside which a vector is written; give it that mode");
  has(refused<groups::sums_of_rows<groups::summing>>(
          check_groups,
          [&](plan& p) { p.operand[0].facts.kind = operand_kind::vector_output, p.operand[0].facts.tile.rank = 2; }),
      "operand dY(E,T): a group along T has no tiles of dW, beside which a vector is written");
  has(of_groups(
          [&](plan& p) { p.operand[work].facts.mode_name[0][0] = 'F', p.operand[work].facts.mode_name[1][0] = 'S'; }),
      "operand Y(F,S,N) has no mode E: a tile belongs to one group");

  has(of_groups([](plan& p) { p.how.persistent = false; }), "Y(E,T,N) has tiles of groups");
  CHECK(of_groups([](plan& p) { p.how.dynamic = true; }) == "");
  has(of_groups([](plan& p) { p.how.streamed = true; }), ".streamed = true and group_ends()");
  has(of_groups([](plan& p) { p.how.batches = 2; }), "batches and group_ends()");
  has(of_groups([](plan& p) { p.how.split = 2; }), "a split and group_ends()");
  has(refused<gated>(check_group_tiles, [](plan& p) { p.tall_tiles = true; }), "block_of(Y) has all rows");
  has(refused<gated>(check_group_tiles, [&](plan& p) { p.operand[of_row].combined = reduction::max; }),
      "operand w(E,T): combine() joins what tiles have whose number a launch knows, which those of groups along T");

  const auto loaded_at = [&](int e) {
    return refused<gated>(
        [&](const plan& p) {
          auto t = std::make_unique<trace>();
          t->tile[0] = 2;
          t->events = t->vector_reads = 1;
          t->at[0].kind = event_kind::load;
          t->at[0].operand = gate;
          t->vector_read[0].operand = of_row;
          t->vector_read[0].coordinate[0] = e;
          return check_own_group(p, *t);
        },
        [](plan&) {});
  };
  CHECK(loaded_at(2) == "");
  has(loaded_at(1), "operand w is loaded at group 1 by the work of group 2; load at the coordinates of tile_of(Y)");
}

}  // namespace
