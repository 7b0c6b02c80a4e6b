// The proof's verdict on a cluster beside what the exploration of all orders finds.
#pragma once
#include <map>
#include <memory>

#include "tests/dsl/all_orders/mutants.hpp"
#include "tests/dsl/all_orders/search.hpp"

namespace sectile::orders {

/// The proof on a cluster whose logs are given.
template <class K>
violation prove_logs(const protocol::cluster_run<K>& recorded, const cluster& s) {
  auto run = std::make_unique<protocol::cluster_run<K>>(recorded);
  for (std::size_t i = 0; i < s.agents.size(); ++i) {
    auto& log = run->of[i].log;
    const std::vector<action>& a = s.agents[i].actions;
    if (a.size() > sizeof log.at / sizeof *log.at) return refuse(rule::program_is_not_traceable, "no room");
    log.count = static_cast<int>(a.size());
    for (int n = 0; n < log.count; ++n) log.at[n] = as_recorded(a[static_cast<std::size_t>(n)]);
  }
  run->run();
  return run->refusal;
}

/// Of many mutants: how they were judged.
struct tally {
  int mutants = 0, both_refuse = 0, both_accept = 0, too_many_states = 0;
  std::size_t states = 0;
  std::map<std::string, int> faults{};  // what the exploration finds
  std::map<std::string, std::vector<std::string>>
      stricter{};                     // where the exploration finds nothing: the proof's sentence
  std::vector<std::string> missed{};  // what the exploration finds and the proof accepts
};

/// Why the proof may refuse what breaks in no order that is explored, by a part of its sentence.
inline constexpr const char* good_reasons[] = {
    // Registers are no part of the exploration.
    "registers", "metadata", "accumulator", "left factor",
    // A fill that no product reads: thread 0 gives it back while other warps of its group may not even have waited for
    // it (warps_test.cpp finds them waiting for ever).
    "before a consumer has read it", "once more than a consumer reads it",
    // A stage released twice: nothing waits for that phase in a run that ends here.
    "more arrivals",
    // A stage that is not released when an output tile is done: the next tile would miss it, this run has none.
    "not released",
    // Nor is it which tile a stage holds.
    "another work item",
    // Or which number is drawn, and how often; or that a role reads it, if nobody reads it too late.
    "for the number of its next work item", "draws", "the number of a work item",
    // Proxies are no part of it either.
    "fence.proxy.async",
    // An agent that waited on a barrier once and lets later phases pass: nothing waits any more in a run that ends
    // here.
    "lagging parity",
    // Two warpgroups at one named barrier, each alone in a round: their warps mix. A warpgroup that only announces
    // itself where nobody else comes: its warps no longer wait for each other (both: warps_test.cpp).
    "twice in one round", "to nobody",
    // A round that somebody opens and nobody closes: whoever comes next would find it half full, this run has no next.
    "is left open"};
inline bool for_a_good_reason(const std::string& sentence) {
  for (const char* reason : good_reasons)
    if (sentence.find(reason) != std::string::npos) return true;
  return false;
}

inline std::string describe(const cluster& s, const mutant& m) {
  const action& x = s.agents[m.who].actions[m.at];
  return "agent " + std::to_string(m.who) + " action " + std::to_string(m.at) + " (act " +
         std::to_string(static_cast<int>(x.what)) + ", barrier " + std::to_string(x.barrier) + ") " +
         change_names[static_cast<int>(m.what)] + " " + std::to_string(m.amount);
}

/// An order as text: agents by number, landings of copies as `c`.
inline std::string order_text(const cluster& s, const std::vector<int>& moves) {
  std::string text;
  for (const int m : moves) text += m < static_cast<int>(s.agents.size()) ? " " + std::to_string(m) : " c";
  return text;
}

/// Tries the mutants of agent `who` that `wanted` picks, on run number `run` of K's proof.
template <class K, class Wanted>
void try_mutants(int run, int who, tally& t, Wanted wanted, std::size_t limit = 400'000) {
  const auto recorded = std::make_unique<protocol::cluster_run<K>>(run);
  const cluster whole = cluster_of<K>(*recorded);
  for (const mutant& m : mutants_of(whole, who)) {
    if (!wanted(m)) continue;
    cluster s = whole;
    s.agents[m.who].actions = with_mistake(m, s.agents[m.who].actions);
    const violation v = prove_logs<K>(*recorded, s);
    const outcome o = search(machine(s), limit);
    ++t.mutants;
    t.states += o.states;
    if (!o.whole) {
      ++t.too_many_states;
      if (v.holds()) t.missed.push_back(describe(whole, m) + ": too many states");
      continue;
    }
    if (!o.wrong.empty()) ++t.faults[o.wrong];
    if (o.wrong.empty() && v.holds()) ++t.both_accept;
    if (!o.wrong.empty() && !v.holds()) ++t.both_refuse;
    if (o.wrong.empty() && !v.holds()) t.stricter[v.says.text].push_back(describe(whole, m));
    if (!o.wrong.empty() && v.holds())
      t.missed.push_back(describe(whole, m) + ": " + o.wrong + ", in the order" + order_text(s, o.order));
  }
}

}  // namespace sectile::orders
