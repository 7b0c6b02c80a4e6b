// What machine.hpp puts together may be put together: on small clusters, warps that run apart, products and stores that
// end when they like, and every action a move of its own come to the same verdict. And what only warps can see, the
// proof sees.
#include <doctest/doctest.h>

#include "tests/dsl/all_orders/compare.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/dsl/all_orders/warps.hpp"
#include "tests/exhaustively.hpp"

namespace {

using namespace sectile;
using namespace sectile::orders;

template <class K>
void check_warps(int run) {
  const auto recorded = std::make_unique<protocol::cluster_run<K>>(run);
  const cluster s = cluster_of<K>(*recorded);
  const outcome together = search(machine(s)), separate = search(machine(s, false)),
                warps = search_warps(warp_machine(s));
  CHECK(together.wrong == "");
  CHECK(separate.wrong == "");
  CHECK(warps.wrong == "");
  CHECK(warps.whole);
  CHECK(warps.ends == 1);
  MESSAGE(together.states << " states, " << separate.states << " with every action by itself, " << warps.states
                          << " of warps");
}

TEST_CASE("what is right in all orders is right for warps") {
  check_warps<gemm<1>>(1);
  if constexpr (sectile::test::exhaustively) {
    check_warps<gemm<2>>(3);
    check_warps<gemm<2>>(5);
    check_warps<gemm<3>>(7);
    check_warps<gemm<2, 2>>(2);
    check_warps<wide_epilogue>(2);
    check_warps<left_in_registers<2>>(4);
    check_warps<persistent_gemm<2>>(3);
    check_warps<sparse_gemm<2, 1>>(2);
  }
  check_warps<cluster_gemm<2, 1, 1>>(1);
}

bool has_ordinary_loads(const cluster& s) {
  for (const agent& a : s.agents)
    for (const action& x : a.actions)
      if (x.what == act::read) return true;
  return false;
}

/// The mutants of one run on both machines. Initialisation is left out: the machine of warps does not model fences.
template <class K>
void check_warp_mutants(int run) {
  const auto recorded = std::make_unique<protocol::cluster_run<K>>(run);
  const cluster whole = cluster_of<K>(*recorded);
  int mutants = 0, wrong = 0, only_warps = 0, only_together = 0;
  std::size_t states = 0;
  for (int i = 0; i < static_cast<int>(whole.agents.size()); ++i)
    for (const mutant& m : mutants_of(whole, i)) {
      const act what = whole.agents[i].actions[m.at].what;
      if (what == act::initialise || what == act::publish) continue;
      cluster s = whole;
      s.agents[i].actions = with_mistake(m, s.agents[i].actions);
      const outcome together = search(machine(s)), separate = search(machine(s, false)),
                    warps = search_warps(warp_machine(s), 200'000);
      CAPTURE(describe(whole, m));
      CAPTURE(together.wrong);
      CAPTURE(warps.wrong);
      CHECK(warps.whole);
      CHECK(together.wrong.empty() == separate.wrong.empty());
      if (!together.wrong.empty() && warps.wrong.empty()) {  // see timeline_of
        CHECK(together.wrong == "a stage is overwritten while it is read");
        CHECK(has_ordinary_loads(s));
        ++only_together;
      }
      if (!warps.wrong.empty()) CHECK(!prove_logs<K>(*recorded, s).holds());
      ++mutants;
      wrong += !together.wrong.empty();
      only_warps += together.wrong.empty() && !warps.wrong.empty();
      states += warps.states;
    }
  CHECK(wrong > 0);
  MESSAGE(mutants << " mutants, " << wrong << " wrong for warpgroups (" << only_together << " of them not for warps), "
                  << only_warps << " more for warps; " << states << " states of warps");
}

TEST_CASE("mutants: one stage") { check_warp_mutants<gemm<1>>(1); }
TEST_CASE("mutants: two stages") {
  if constexpr (sectile::test::exhaustively) check_warp_mutants<gemm<2>>(3);
}
TEST_CASE("mutants: two tiles") {
  if constexpr (sectile::test::exhaustively) check_warp_mutants<persistent_gemm<2>>(2);
}
TEST_CASE("mutants: A through registers") { check_warp_mutants<left_in_registers<2>>(3); }
TEST_CASE("mutants: a loop that only reads") {
  if constexpr (sectile::test::exhaustively) check_warp_mutants<only_read<2>>(3);
}

/// Two consumers meet at the same named barrier, each with the threads of one: in order, nothing is wrong.
TEST_CASE("two warpgroups at one named barrier") {
  using K = gemm<2, 2>;
  const auto recorded = std::make_unique<protocol::cluster_run<K>>(1);
  cluster s = cluster_of<K>(*recorded);
  for (action& x : s.agents[2].actions)
    if (x.what == act::meet) x.barrier = 1;
  CHECK(search(machine(s)).wrong == "");
  CHECK(search_warps(warp_machine(s)).wrong != "");
  CHECK(prove_logs<K>(*recorded, s).what == rule::protocol_races);
}

}  // namespace
