// The walk over the output: division by multiplication is exact, and every tile is visited exactly once.
#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <sectile/dsl/proofs/walk.hpp>
#include <sectile/dsl/roles/work.hpp>
#include <string>
#include <vector>

#include "tests/programs/matmul.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;

constexpr int largest = std::numeric_limits<int>::max();

bool divides(const fast_divisor& f, int d, std::int64_t n) {
  return n < 0 || n > largest || f.divide(static_cast<int>(n)) == n / d;
}

/// Whether the quotient is right where it changes (around multiples of d), at both ends and at a few random places.
bool is_exact(int d, std::mt19937& random) {
  const fast_divisor f(d);
  bool right = true;
  const std::int64_t all = largest / d;
  for (const std::int64_t quotient :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, all / 2, all - 1, all, all + 1})
    for (const int by : {-1, 0, 1}) right = right && divides(f, d, quotient * d + by);
  for (const int n : {0, 1, 2, largest - 1, largest}) right = right && divides(f, d, n);
  std::uniform_int_distribution<int> any(0, largest);
  for (int i = 0; i < 20; ++i) {
    const int n = any(random);
    right = right && divides(f, d, n) && divides(f, d, n - n % d) && divides(f, d, n - n % d - 1);
  }
  return right;
}

/// The walk depends on the configuration alone, so these kernels are not planned anew: their plan is matmul's with
/// another configuration.
using planned = test::matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1}>;
template <int Group, int Rows, int Cols, traversal Order>
struct walked : planned {};

constexpr configuration with_walk(configuration how, int group, cluster_shape cluster, traversal order) {
  how.group = group;
  how.cluster = cluster;
  how.rows = order;
  return how;
}

/// Batches in front of the matrix, so many of which are visited together.
template <int Group, traversal Order, int Together = 1>
struct batched {
  static constexpr auto operands =
      sectile::operands(input<"A(G,H,M,K)", bf16>(), input<"B(G,H,N,K)", bf16>(), output<"C(G,H,M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .group = Group, .batches = Together, .rows = Order};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [g, h, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, h, m, k}) * transpose(sm.load(B, {g, h, n, k}));
    sm.store(C, {g, h, m, n}, acc);
  }
};

}  // namespace

template <int Group, int Rows, int Cols, sectile::traversal Order>
inline constexpr sectile::plan sectile::plan_of<walked<Group, Rows, Cols, Order>> = [] {
  sectile::plan p = sectile::plan_of<planned>;
  p.how = with_walk(p.how, Group, {Rows, Cols}, Order);
  return p;
}();

namespace {

constexpr int output_operand = 2;

/// Tiles of each mode of the output; modes that the kernel does not have are 1.
struct tile_counts {
  int g = 1, h = 1, m = 1, n = 1;
};
template <class K>
body_arguments<K> arguments_of(const tile_counts& t) {
  body_arguments<K> arguments{};
  auto& c = arguments.template at<output_operand>();
  const int all[] = {t.g, t.h, t.m, t.n};
  for (int d = 0; d < c.rank; ++d) handle_access::tile_count(c)[d] = all[4 - c.rank + d];
  return arguments;
}

/// Counts how often every CTA of every cluster is sent to every tile, and checks that each tile gets one, that what
/// lies outside the output is less than a cluster, and that batches come in order.
template <class K>
bool visits_each_tile_once(const tile_counts& t) {
  const auto arguments = arguments_of<K>(t);
  const work_grid grid = work_of<K>(arguments);
  constexpr cluster_shape cluster = plan_of<K>.how.cluster;
  constexpr int rank = operand_handle<K, output_operand>::rank;
  std::vector<int> visits(static_cast<std::size_t>(t.g * t.h * t.m * t.n));
  bool right =
      grid.count == t.g * t.h * ((t.m + cluster.rows - 1) / cluster.rows) * ((t.n + cluster.cols - 1) / cluster.cols);
  int last_batch = 0;
  for (int item = 0; item < grid.count; ++item) {
    const tile_coordinates<max_rank> at = locate<K>(item, grid, arguments);
    const int g = rank == 4 ? at.at[0] : 0, h = rank == 4 ? at.at[1] : 0, batch = g * t.h + h;
    constexpr int together = plan_of<K>.how.batches;  // of which the bands come in order
    right = right && batch / together >= last_batch / together && g < t.g && h < t.h;
    last_batch = batch;
    const int m0 = at.at[rank - 2], n0 = at.at[rank - 1];
    right = right && m0 >= 0 && n0 >= 0 && m0 < t.m && n0 < t.n && m0 % cluster.rows == 0 && n0 % cluster.cols == 0;
    if (!right) return false;
    for (int m = m0; m < m0 + cluster.rows && m < t.m; ++m)
      for (int n = n0; n < n0 + cluster.cols && n < t.n; ++n)
        ++visits[static_cast<std::size_t>((batch * t.m + m) * t.n + n)];
  }
  for (const int v : visits) right = right && v == 1;
  return right;
}

template <class K>
void check_grids() {
  for (int m = 1; m <= 20; ++m)
    for (int n = 1; n <= 9; ++n) {
      const bool once = visits_each_tile_once<K>({.m = m, .n = n});
      CAPTURE(m);
      CAPTURE(n);
      if (!once) CHECK(once);
    }
  CHECK(visits_each_tile_once<K>({.m = 257, .n = 130}));
  CHECK(visits_each_tile_once<K>({.m = 1, .n = 4099}));
  CHECK(visits_each_tile_once<K>({.m = 4099, .n = 1}));
}

TEST_CASE("division: all divisors up to 2000") {
  std::mt19937 random(1);
  for (int d = 1; d <= 2000; ++d) {
    const bool exact = is_exact(d, random);
    if (!exact) CHECK_MESSAGE(exact, "divisor ", d);
  }
}
TEST_CASE("division: powers of two and their neighbours") {
  std::mt19937 random(2);
  for (int bit = 1; bit < 31; ++bit)
    for (const int by : {-1, 0, 1}) {
      const int d = (1 << bit) + by;
      CHECK_MESSAGE(is_exact(d, random), "divisor ", d);
    }
  CHECK(is_exact(largest, random));
  CHECK(is_exact(largest - 1, random));
}
TEST_CASE("division: random divisors of every size") {
  std::mt19937 random(3);
  for (int i = 0; i < 50000; ++i) {
    const int d = static_cast<int>(std::uniform_int_distribution<unsigned>(1, largest)(random) >> (i % 31));
    const bool exact = is_exact(d > 0 ? d : 1, random);
    if (!exact) CHECK_MESSAGE(exact, "divisor ", d);
  }
}
STATIC_CASE(fast_divisor(7).divide(largest) == largest / 7);
STATIC_CASE(fast_divisor(largest).divide(largest) == 1);

TEST_CASE("each tile once: one CTA, every group") {
  check_grids<walked<1, 1, 1, traversal::forward>>();
  check_grids<walked<2, 1, 1, traversal::reversed>>();
  check_grids<walked<3, 1, 1, traversal::forward>>();
  check_grids<walked<8, 1, 1, traversal::forward>>();
  check_grids<walked<8, 1, 1, traversal::reversed>>();
  check_grids<walked<4096, 1, 1, traversal::forward>>();
}
TEST_CASE("each tile once: clusters that hang over both edges") {
  check_grids<walked<1, 2, 1, traversal::reversed>>();
  check_grids<walked<8, 2, 1, traversal::forward>>();
  check_grids<walked<8, 1, 2, traversal::forward>>();
  check_grids<walked<3, 2, 2, traversal::forward>>();
  check_grids<walked<3, 2, 2, traversal::reversed>>();
  check_grids<walked<5, 4, 2, traversal::reversed>>();
  check_grids<walked<2, 8, 1, traversal::forward>>();
}
TEST_CASE("each tile once: two batch modes") {
  for (const int g : {1, 2, 5})
    for (const int h : {1, 3})
      for (const int m : {1, 3, 4, 7})
        for (const int n : {1, 2, 5}) {
          CHECK(visits_each_tile_once<batched<3, traversal::forward>>({g, h, m, n}));
          CHECK(visits_each_tile_once<batched<3, traversal::reversed>>({g, h, m, n}));
          CHECK(visits_each_tile_once<batched<8, traversal::forward, 2>>({g, h, m, n}));
          CHECK(visits_each_tile_once<batched<8, traversal::reversed, 4>>({g, h, m, n}));
          CHECK(visits_each_tile_once<batched<8, traversal::reversed, 1000>>({g, h, m, n}));
        }
}

/// What the proof says of a walk through 7 x 3 tiles in bands of 2 rows that goes wrong.
template <class Locate>
std::string verdict_of_walk(Locate at) {
  const int tiles[max_rank]{7, 3, 1, 1, 1};
  return check_walk(plan_of<walked<2, 1, 1, traversal::forward>>, tiles, at).says.text;
}

TEST_CASE("the proof: each tile once, or it says which not") {
  using K = walked<2, 1, 1, traversal::forward>;
  const auto arguments = arguments_of<K>({.m = 7, .n = 3});
  const auto right = [&](int item, const work_grid& g) { return locate<K>(item, g, arguments); };
  CHECK(verdict_of_walk(right) == "");
  CHECK(verdict_of_walk([&](int item, work_grid g) {  // the last band is divided like the others
          g.last_band_rows = g.band_rows;
          return right(item, g);
        }) == "operand C: of 7 x 3 tiles, work item 19 is the tile at 7, 0, which does not begin a cluster there");
  CHECK(verdict_of_walk([&](int item, const work_grid& g) { return right(item / 2 * 2, g); }) ==
        "operand C: of 7 x 3 tiles, work item 1 is the tile at 0, 0, as another one is");
  CHECK(verdict_of_walk([&](int item, const work_grid& g) {
          auto at = right(item, g);
          at.at[1] += 1;
          return at;
        }).find("which does not begin a cluster there") != std::string::npos);
  CHECK(check_walk<K>().holds());
  CHECK(check_walk<walked<8, 2, 2, traversal::reversed>>().holds());
  CHECK(check_walk<walked<4096, 4, 2, traversal::forward>>().holds());
  CHECK(check_walk<batched<3, traversal::reversed>>().holds());
}

TEST_CASE("the order: bands of `group` rows, columns, rows of the band") {
  using K = walked<2, 1, 1, traversal::forward>;
  const auto arguments = arguments_of<K>({.m = 3, .n = 2});
  const work_grid grid = work_of<K>(arguments);
  const int expected[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}};
  REQUIRE(grid.count == 6);
  for (int item = 0; item < 6; ++item) {
    const auto at = locate<K>(item, grid, arguments);
    CHECK(at.at[0] == expected[item][0]);
    CHECK(at.at[1] == expected[item][1]);
  }
}
TEST_CASE("reversed begins with the last rows") {
  using K = walked<2, 1, 1, traversal::reversed>;
  const auto arguments = arguments_of<K>({.m = 3, .n = 2});
  const work_grid grid = work_of<K>(arguments);
  CHECK(locate<K>(0, grid, arguments).at[0] == 2);
  CHECK(locate<K>(1, grid, arguments).at[0] == 1);
  CHECK(locate<K>(grid.count - 1, grid, arguments).at[0] == 0);
}

}  // namespace
