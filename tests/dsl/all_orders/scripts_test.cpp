// Any number of trips and tiles: all scripts of few trips, in which a loop may turn differently each time it is
// entered, in all orders. The proof's own runs let a loop turn equally often each time.
#include <doctest/doctest.h>

#include "tests/dsl/all_orders/alone.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/dsl/all_orders/scripts.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile;
using namespace sectile::orders;

/// All scripts of `entries` numbers up to `most`, for so many tiles in a row.
template <class K>
void check_scripts(int entries, int most, int tiles) {
  std::vector<int> trips(static_cast<std::size_t>(entries), 0);
  int scripts = 0;
  std::size_t states = 0;
  do {
    const cluster s = cluster_of_script<K>(trips, tiles);
    REQUIRE(!s.agents.empty());
    const outcome o = search(machine(s));
    CAPTURE(trips);
    CHECK(o.wrong == "");
    CHECK(o.whole);
    CHECK(wrong_alone(plan_of<K>, s) == "");
    ++scripts;
    states += o.states;
  } while (next_script(trips, most));
  MESSAGE(scripts << " scripts, " << states << " states");
}

TEST_CASE("four tiles with up to two trips each, exhaustively four") {
  check_scripts<persistent_gemm<3, 2>>(4, sectile::test::exhaustively ? 4 : 2, 4);
}
TEST_CASE("three tiles of two loops with up to two trips each") { check_scripts<two_loops<2, true>>(6, 2, 3); }
TEST_CASE("two loops with up to five trips") {
  if constexpr (sectile::test::exhaustively) check_scripts<two_loops<2, false>>(2, 5, 1);
}
TEST_CASE("a loop that turns differently in each trip of the loop around it") {
  if constexpr (sectile::test::exhaustively) check_scripts<nested_loops>(4, 3, 1);
}
TEST_CASE("products in both of two nested loops, two tiles") {
  if constexpr (sectile::test::exhaustively) check_scripts<nested_sums>(6, 2, 2);
}
TEST_CASE("a cluster with two tiles' worth of trips") {
  if constexpr (sectile::test::exhaustively) check_scripts<cluster_gemm<2, 1, 2>>(1, 8, 1);
}

}  // namespace
