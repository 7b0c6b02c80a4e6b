// Mistakes in the logs, one at a time and two at a time: the proof refuses what breaks in some order.
#include "tests/dsl/all_orders/checks.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile;
using namespace sectile::orders;

TEST_CASE("one mistake: one consumer") {
  check_mutants<gemm<1>>(1);
  for (const int trips : {1, 3}) check_mutants<gemm<2>>(trips);
  if constexpr (sectile::test::exhaustively) check_mutants<gemm<2>>(5);
  if constexpr (sectile::test::exhaustively) check_mutants<gemm<4>>(6);
}
TEST_CASE("one mistake: several consumers") {
  if constexpr (sectile::test::exhaustively) {
    check_mutants<gemm<2, 2>>(5);
    check_mutants<staggered_gemm<3>>(4);
  }
}
TEST_CASE("one mistake: consumers with tiles of their own") {
  if constexpr (sectile::test::exhaustively)
    for (const int trips : {1, 2}) check_mutants<own_tiles_gemm<2>>(trips);
}
TEST_CASE("one mistake: two tiles, and the epilogue of one under the products of the next") {
  if constexpr (sectile::test::exhaustively) check_mutants<persistent_gemm<3, 2>>(1);
  check_mutants<persistent_gemm<3, 2>>(2);
  if constexpr (sectile::test::exhaustively) check_mutants<persistent_gemm<3, 2>>(3);
}
TEST_CASE("one mistake: tiles that are drawn") {
  if constexpr (sectile::test::exhaustively) check_mutants<drawn_gemm<2, 1>>(1);
}
TEST_CASE("one mistake: panels in several batches") { check_mutants<wide_epilogue>(3); }
TEST_CASE("one mistake: A through registers") { check_mutants<left_in_registers<2>>(4); }
TEST_CASE("one mistake: a loop that only reads") {
  if constexpr (sectile::test::exhaustively) check_mutants<only_read<2>>(4);
}
TEST_CASE("one mistake: metadata in the stage") {
  if constexpr (sectile::test::exhaustively) check_mutants<sparse_gemm<2, 1>>(4);
}

/// All pairs of mistakes: nothing that the proof accepts breaks in any order.
template <class K>
void check_pairs(int run) {
  const auto recorded = std::make_unique<protocol::cluster_run<K>>(run);
  const cluster whole = cluster_of<K>(*recorded);
  int pairs = 0, accepted = 0;
  for (int i = 0; i < static_cast<int>(whole.agents.size()); ++i)
    for (const mutant& first : mutants_of(whole, i)) {
      cluster once = whole;
      once.agents[i].actions = with_mistake(first, once.agents[i].actions);
      for (int j = i; j < static_cast<int>(whole.agents.size()); ++j)
        for (const mutant& second : mutants_of(once, j)) {
          cluster twice = once;
          twice.agents[j].actions = with_mistake(second, twice.agents[j].actions);
          ++pairs;
          if (!prove_logs<K>(*recorded, twice).holds()) continue;
          ++accepted;
          const outcome o = search(machine(twice));
          if (!o.wrong.empty())
            FAIL_CHECK(describe(whole, first) << " and " << describe(once, second) << ": " << o.wrong);
        }
    }
  CHECK(accepted > 0);
  MESSAGE(pairs << " pairs of mistakes, " << accepted << " accepted and right in all orders");
}

TEST_CASE("two mistakes: one stage, one trip") { check_pairs<gemm<1>>(1); }
TEST_CASE("two mistakes: two stages, three trips") {
  if constexpr (sectile::test::exhaustively) check_pairs<gemm<2>>(3);
}

}  // namespace
