// What the tests of this folder ask of a kernel.
#pragma once
#include <doctest/doctest.h>

#include <vector>

#include "tests/dsl/all_orders/compare.hpp"

namespace sectile::orders {

/// To which items of a walk a part of a tile comes last in the workspace, a bit each: all ways that the proof goes.
template <class K>
std::vector<unsigned> ways_to_come_last() {
  if (!plan_of<K>.how.uses_workspace()) return {protocol::to_all};
  const unsigned last = plan_of<K>.how.streamed ? 0b100 : 0;
  if (plan_of<K>.how.fan_in > 0) return {~last, last, protocol::last_of_its_group};
  return {~last, last};
}

/// In every run of the proof of K from `first` to `last`: it accepts exactly if no order breaks. All orders are
/// visited.
template <class K>
void check_all_orders(int first = 0, int last = 1000) {
  std::size_t states = 0, most = 0;
  for (const unsigned comes_last : ways_to_come_last<K>())
    for (int run = first; run <= last && run < protocol::protocol_runs(plan_of<K>); ++run) {
      CAPTURE(comes_last);
      CAPTURE(run);
      const auto recorded = std::make_unique<protocol::cluster_run<K>>(run, comes_last);
      const cluster s = cluster_of<K>(*recorded);
      const outcome o = search(machine(s));
      const violation v = prove_logs<K>(*recorded, s);
      CAPTURE(o.wrong);
      CAPTURE(std::string(v.says.text));
      CHECK(o.whole);
      CHECK(o.wrong.empty() == v.holds());
      if (o.wrong.empty()) CHECK(o.ends == 1);
      states += o.states;
      most = o.states > most ? o.states : most;
    }
  MESSAGE(states << " states, " << most << " in one run");
}

inline void report(const tally& t) {
  for (const std::string& m : t.missed) FAIL_CHECK("accepted, and wrong in some order: " << m);
  for (const auto& [sentence, mutants] : t.stricter)
    if (!for_a_good_reason(sentence))
      FAIL_CHECK("refused, and right in all orders: " << mutants[0] << ": " << sentence);
  int stricter = 0;
  for (const auto& [sentence, mutants] : t.stricter) stricter += static_cast<int>(mutants.size());
  MESSAGE(t.mutants << " mutants: " << t.both_refuse << " refused and wrong in some order, " << t.both_accept
                    << " accepted and right in all, " << stricter << " refused for other reasons; " << t.states
                    << " states");
}

/// All mutants of K's logs in run number `run` of its proof: what breaks in some order is refused, and what is refused
/// breaks in some order or is refused for one of `good_reasons`.
template <class K>
void check_mutants(int run) {
  tally t;
  for (int who = 0; who < protocol::cluster_run<K>::agents; ++who)
    try_mutants<K>(run, who, t, [](const mutant&) { return true; });
  CHECK(t.both_refuse > 0);
  CHECK(t.both_accept > 0);
  report(t);
}

}  // namespace sectile::orders
