// What becomes of a kernel when one constant of its schedule changes: other kernels, which are planned and proven like
// any. (What becomes of it when a tile changes is found at run time, on the plan: see replan.hpp.)
#pragma once
#include <vector>

#include <sectile/dsl/proofs/verified.hpp>

namespace sectile::tell {

/// Kernel K with another schedule.
template <class K, schedule S>
struct varied {
  static constexpr auto operands = K::operands;
  static constexpr sectile::configuration schedule = S;
  static constexpr void body(auto& sm, auto... arguments) { K::body(sm, arguments...); }
};

enum class schedule_constant : std::uint8_t { stages, consumers, cluster, persistent, pingpong };

struct schedule_change {
  schedule_constant what = schedule_constant::stages;
  schedule to{};
};

struct schedule_changes {
  static constexpr int most = 12;
  int count = 0;
  schedule_change at[most]{};
  constexpr void add(schedule_constant what, const schedule& to) { at[count++] = {what, to}; }
};

/// The neighbours of a schedule: each differs from it in one constant.
constexpr schedule_changes neighbours(const schedule& from) {
  schedule_changes all{};
  const auto with = [&from](auto change) {
    schedule s = from;
    change(s);
    return s;
  };
  const auto add_stages = [&](int n) { all.add(schedule_constant::stages, with([n](schedule& s) { s.stages = n; })); };
  if (from.stages > 1) add_stages(from.stages - 1);
  add_stages(from.stages + 1);
  if (from.stages > 2) add_stages(1);
  for (const int consumers : {from.consumers - 1, from.consumers + 1})
    if (consumers >= 1) all.add(schedule_constant::consumers, with([&](schedule& s) { s.consumers = consumers; }));
  for (const cluster_shape c : {cluster_shape{1, 1}, cluster_shape{2, 1}, cluster_shape{1, 2}})
    if (c.rows != from.cluster.rows || c.cols != from.cluster.cols)
      all.add(schedule_constant::cluster, with([&](schedule& s) { s.cluster = c; }));
  all.add(schedule_constant::persistent, with([](schedule& s) { s.persistent = !s.persistent; }));
  all.add(schedule_constant::pingpong, with([](schedule& s) { s.pingpong = !s.pingpong; }));
  return all;
}

/// Work of the protocol's proof, in units of its own: agents x the square of the longest run. Proofs of neighbours are
/// made while a page is compiled, so those that take seconds are left out.
constexpr int protocol_work(const plan& p) {
  const int runs = protocol::protocol_runs(p);
  return p.how.cluster.size() * (1 + p.how.consumers) * runs * runs;
}
constexpr int most_protocol_work = 1000;

/// What came of a change. The proofs that run the lowered roles are made as this is compiled, if they are made; those
/// that are functions of a plan when first_refusal() is asked.
struct schedule_variation {
  schedule_change change{};
  const plan* planned = nullptr;
  bool roles_were_run = true;  // or there was a reason not to: the plan is refused
  violation feeding{}, protocol{};
};

/// Why a kernel with this plan is refused, given what the proofs said that need more than a plan; `holds` if it is not.
/// The proofs come in the order in which verdict_of<K> asks them, so this is its sentence.
violation first_refusal(const plan& p, const violation& feeding, const violation& protocol);
inline violation first_refusal(const schedule_variation& v) { return first_refusal(*v.planned, v.feeding, v.protocol); }

template <class K>
schedule_variation prove_variation(const schedule_change& change) {
  constexpr const plan& p = plan_of<K>;
  schedule_variation v{change, &p};
  if constexpr (p.refusal.holds()) {
    if constexpr (protocol_work(p) > most_protocol_work) {
      v.roles_were_run = false;
    } else if constexpr (legality_verdict<K>.holds() && alignment_verdict<K>.holds() && budgets_verdict<K>.holds()) {
      v.feeding = feeding_verdict<K>;
      v.protocol = protocol_verdict<K>;
    }
  }
  return v;
}

template <class K>
std::vector<schedule_variation> vary_schedule() {
  constexpr schedule_changes changes = neighbours(K::schedule);
  std::vector<schedule_variation> all;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (all.push_back(prove_variation<varied<K, changes.at[I].to>>(changes.at[I])), ...);
  }
  (std::make_integer_sequence<int, changes.count>{});
  return all;
}

}  // namespace sectile::tell
