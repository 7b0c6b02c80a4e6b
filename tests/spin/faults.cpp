#include "tests/spin/faults.hpp"

#include <algorithm>
#include <sectile/dsl/tell/promela/text.hpp>

#include "tests/dsl/all_orders/compare.hpp"
#include "tests/dsl/all_orders/plans.hpp"
#include "tests/dsl/all_orders/tampered.hpp"
#include "tests/exhaustively.hpp"

namespace sectile::witness {
namespace {

using namespace sectile::orders;
using test::exhaustively;

/// Why the proof may refuse what SPIN finds right, by a part of its sentence: these are no part of the Promela.
constexpr const char* left_out[] = {
    // Registers are not modelled.
    "registers", "metadata", "accumulator", "left factor",
    // Warps of a warpgroup that run apart: thread 0 gives back what others have not waited for.
    "before a consumer has read it", "once more than a consumer reads it", "twice in one round", "to nobody",
    // The proxy fence behind ordinary loads of a stage.
    "fence.proxy.async",
    // Phases that nobody waits for any more in a run that ends here; a longer one would.
    "lagging parity",
    // An arrival that nobody knows to be in its phase, though in no order of this run it comes early: the proof's
    // conditions are a little more than necessary.
    "more arrivals",
    // What a copy brings: the tile, or the number that is drawn, and how often that is.
    "another work item", "for the number of its next work item", "draws", "the number of a work item"};

bool is_left_out(const std::string& sentence) {
  return std::ranges::any_of(left_out, [&](const char* part) { return sentence.find(part) != std::string::npos; });
}

void take_logs(const cluster& s, tell::protocol_walk& walk) {
  for (std::size_t i = 0; i < s.agents.size(); ++i) {
    walk.roles[i].actions.clear();
    for (const action& x : s.agents[i].actions) walk.roles[i].actions.push_back(as_recorded(x));
  }
}
/// The walk of roles with these logs. What waits are meant for is what they were before there was a mistake.
template <class K>
tell::protocol_walk walk_of(const cluster& right, const cluster& s) {
  tell::protocol_walk walk = tell::idle_walk(plan_of<K>);
  take_logs(right, walk);
  tell::note_announcements(walk);
  take_logs(s, walk);
  return walk;
}

/// Asks SPIN, and notes how its verdict and the proof's go together.
void judge(const tell::protocol_walk& walk, const violation& proof, const std::string& fault, const spin_tools& tools,
           witnessed_faults& to) {
  const spin_answer spin = ask_spin(tell::promela_text(walk, to.what + ": " + fault), tools, {});
  ++to.faults;
  to.states += spin.states;
  const std::string says = proof.says.text;
  if (!spin.whole) {
    to.disagreements.push_back(fault + ": more states than SPIN may hold");
  } else if (!spin.wrong.empty()) {
    ++to.found[spin.wrong];
    to.both_refuse += !proof.holds();
    if (!proof.holds()) return;
    std::string order = fault + ": the proof accepts it, but " + spin.wrong + ", when";
    for (const std::string& step : spin.order) order += "\n    " + step;
    to.disagreements.push_back(order);
  } else if (proof.holds()) {
    ++to.both_accept;
  } else if (is_left_out(says)) {
    ++to.stricter[says];
  } else {
    to.disagreements.push_back(fault + ": SPIN finds all orders right, but the proof says: " + says);
  }
}

/// Picks every `every`-th of all that it is asked about; the first one counts as number `asked`, from 0.
struct picker {
  int every = 1, asked = 0;
  bool picks() { return asked++ % every == 0; }
};

template <class K>
witnessed_faults mistakes(const char* what, int run, picker& some, const spin_tools& tools) {
  witnessed_faults all{.what = what};
  const auto recorded = std::make_unique<protocol::cluster_run<K>>(run);
  const cluster whole = cluster_of<K>(*recorded);
  judge(walk_of<K>(whole, whole), prove_logs<K>(*recorded, whole), "as it is", tools, all);
  for (int who = 0; who < static_cast<int>(whole.agents.size()); ++who)
    for (const mutant& m : mutants_of(whole, who)) {
      if (!some.picks()) continue;
      cluster s = whole;
      s.agents[who].actions = with_mistake(m, s.agents[who].actions);
      judge(walk_of<K>(whole, s), prove_logs<K>(*recorded, s), describe(whole, m), tools, all);
    }
  return all;
}

/// A plan with a mistake, lowered by the real roles.
template <class K>
witnessed_faults wrong_plan(const char* what, int run, const spin_tools& tools) {
  witnessed_faults all{.what = what};
  const auto recorded = std::make_unique<protocol::cluster_run<K>>(run);
  const cluster whole = cluster_of<K>(*recorded);
  judge(walk_of<K>(whole, whole), prove_logs<K>(*recorded, whole), "the plan", tools, all);
  return all;
}

}  // namespace

void witness_faults(int every, int part, const spin_tools& tools,
                    const std::function<void(const witnessed_faults&)>& tell) {
  picker some{every, part};
  // A ring, results under the next products, tiles that are drawn, CTAs that share, rings of several kinds, parts, and
  // a plan that is wrong. The other kernels have the same steps in other numbers and orders.
  tell(mistakes<staggered_gemm<3>>("consumers that run behind each other", 4, some, tools));
  tell(mistakes<persistent_gemm<3, 2>>("two tiles, the first one's results under the second one's products", 2, some,
                                       tools));
  tell(mistakes<drawn_gemm<2, 1>>("tiles that are drawn", 1, some, tools));
  tell(mistakes<only_read<2>>("a loop that only reads", 4, some, tools));
  tell(mistakes<cluster_gemm<2, 1, 2>>("two CTAs that share B", 1, some, tools));
  tell(mistakes<attention_like<true>>("three rings, consumers that take turns", 3, some, tools));
  tell(mistakes<streamed_gemm<2>>("a whole tile, and parts of two", 1, some, tools));
  tell(wrong_plan<tampered<persistent_gemm<2, 2>, release_while_reading>>("a plan that releases too early", 4, tools));
  if constexpr (exhaustively) {
    tell(mistakes<gemm<2>>("one consumer, two stages", 3, some, tools));
    tell(mistakes<gemm<4>>("one consumer, four stages", 6, some, tools));
    tell(mistakes<gemm<2, 2>>("two consumers", 5, some, tools));
    tell(mistakes<own_tiles_gemm<2>>("consumers with tiles of their own", 2, some, tools));
    tell(mistakes<wide_epilogue>("results in several batches", 3, some, tools));
    tell(mistakes<left_in_registers<2>>("A through registers", 4, some, tools));
    tell(mistakes<sparse_gemm<2, 1>>("a sparse product", 4, some, tools));
    tell(mistakes<cluster_gemm<1, 2, 2>>("two CTAs that share A", 1, some, tools));
    tell(mistakes<two_loops<2, false>>("two loops", 8, some, tools));
    tell(mistakes<nested_loops>("a loop in a loop", 8, some, tools));
    tell(mistakes<parted_gemm<2>>("parts that meet in a workspace", 3, some, tools));
    tell(mistakes<two_parted_sums<false>>("two sums, whose parts meet there", 2, some, tools));
    tell(wrong_plan<tampered<persistent_gemm<2, 2>, one_arrival_less>>("a plan that counts an arrival too few", 4,
                                                                       tools));
    tell(wrong_plan<tampered<cluster_gemm<2, 1, 2>, one_arrival_more>>("a plan that counts one too many", 4, tools));
    tell(wrong_plan<tampered<two_loops<2, true, true>, wait_for_one_less>>(
        "a wait that is missing if a loop makes no trip", 2, tools));
  }
}

}  // namespace sectile::witness
