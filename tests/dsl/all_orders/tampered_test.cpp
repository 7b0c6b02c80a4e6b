// Wrong plans, lowered by the real roles: the proof refuses each, and some order breaks.
#include <doctest/doctest.h>

#include "tests/dsl/all_orders/compare.hpp"
#include "tests/dsl/all_orders/scripts.hpp"
#include "tests/dsl/all_orders/tampered.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile;
using namespace sectile::orders;

template <class K>
outcome search_run(int run) {
  return search(machine(cluster_of<K>(*std::make_unique<protocol::cluster_run<K>>(run))));
}

template <class K>
violation verdict_of_run(int run) {
  const auto cluster = std::make_unique<protocol::cluster_run<K>>(run);
  cluster->run();
  return cluster->refusal;
}

TEST_CASE("a stage released too early is overwritten") {
  using K = tampered<persistent_gemm<2, 2>, release_while_reading>;
  CHECK(search_run<K>(4).wrong == "a stage is overwritten while it is read");
  CHECK(verdict_of_run<K>(4).what == rule::protocol_races);
}
TEST_CASE("a barrier that does not wait for the second consumer") {
  if constexpr (sectile::test::exhaustively) {  // otherwise of two CTAs: proof_mutants_test.cpp
    using K = tampered<persistent_gemm<2, 2>, one_arrival_less>;
    CHECK(search_run<K>(4).wrong != "");
    CHECK(!verdict_of_run<K>(4).holds());
  }
}
TEST_CASE("a barrier that waits for a consumer too many") {
  if constexpr (sectile::test::exhaustively) {  // otherwise of one CTA: proof_mutants_test.cpp
    using K = tampered<cluster_gemm<2, 1, 2>, one_arrival_more>;
    CHECK(search_run<K>(4).wrong == "nobody can go on");
    CHECK(verdict_of_run<K>(4).what == rule::protocol_deadlocks);
  }
}

/// Every run in which both loops turn is right. So the proof has to combine loops that turn with loops that do not.
TEST_CASE("a wait that is right unless the second loop makes no trip") {
  using K = tampered<two_loops<2, true, true>, wait_for_one_less>;
  for (const int first : {1, 2, 5})
    for (const int second : {1, 2, 5}) CHECK(search(machine(cluster_of_script<K>({first, second}, 2))).wrong == "");
  CHECK(search(machine(cluster_of_script<K>({2, 0}, 2))).wrong == "a stage is overwritten while it is read");
  int refused = 0;
  for (int run = 0; run < protocol::protocol_runs(plan_of<K>); ++run) refused += !verdict_of_run<K>(run).holds();
  CHECK(refused > 0);
}

}  // namespace
