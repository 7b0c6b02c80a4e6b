// What becomes of a kernel when one constant of its configuration changes: other kernels, which are planned and proven
// like any. (What becomes of it when a tile changes is found at run time, on the plan: see replan.hpp.)
#pragma once
#include <vector>

#include <sectile/dsl/proofs/verified.hpp>

namespace sectile::tell {

/// Kernel K in another configuration.
template <class K, configuration C>
struct varied : K {
  static constexpr configuration how = C;
};

enum class configuration_constant : std::uint8_t { stages, consumers, cluster, persistent, pingpong };

struct configuration_change {
  configuration_constant what = configuration_constant::stages;
  configuration to{};
};

struct configuration_changes {
  static constexpr int most = 12;
  int count = 0;
  configuration_change at[most]{};
  constexpr void add(configuration_constant what, const configuration& to) { at[count++] = {what, to}; }
};

/// The neighbours of a configuration: each differs from it in one constant.
constexpr configuration_changes neighbours(const configuration& from) {
  configuration_changes all{};
  const auto with = [&from](auto change) {
    configuration c = from;
    change(c);
    return c;
  };
  const auto add = [&](configuration_constant what, auto change) { all.add(what, with(change)); };
  const auto add_stages = [&](int n) { add(configuration_constant::stages, [n](auto& c) { c.stages = n; }); };
  if (from.stages > 1) add_stages(from.stages - 1);
  add_stages(from.stages + 1);
  if (from.stages > 2) add_stages(1);
  for (const int consumers : {from.consumers - 1, from.consumers + 1})
    if (consumers >= 1) add(configuration_constant::consumers, [&](auto& c) { c.consumers = consumers; });
  const cluster_shape other = from.cluster == cluster_shape{1, 1} ? cluster_shape{2, 1} : cluster_shape{1, 1};
  add(configuration_constant::cluster, [&](auto& c) { c.cluster = other; });
  add(configuration_constant::persistent, [](auto& c) { c.persistent = !c.persistent; });
  add(configuration_constant::pingpong, [](auto& c) { c.pingpong = !c.pingpong; });
  return all;
}

/// Work of the protocol's proof, in units of its own: agents x rings x the square of the longest run. Proofs of
/// neighbours are made while a page is compiled, so those that take seconds are left out.
constexpr int protocol_work(const plan& p) {
  const int runs = protocol::protocol_runs(p);
  return p.how.cluster.size() * (1 + p.how.consumers) * p.rings * runs * runs;
}
constexpr int most_protocol_work = 300;

/// What came of a change. The proofs that run the lowered roles are made as this is compiled, if they are made; those
/// that are functions of a plan when first_refusal() is asked.
struct configuration_variation {
  configuration_change change{};
  const plan* planned = nullptr;
  bool roles_were_run = true;  // or there was a reason not to: the plan is refused
  violation feeding{}, protocol{}, epilogue{};
};

/// Why a kernel with this plan is refused, given what the proofs said that need more than a plan; `holds` if it is not.
/// The proofs come in the order in which verdict_of<K> asks them, so this is its sentence.
/// `epilogue`: of the lowered one and of the walk over the work, which are a part of the proof of fragments.
violation first_refusal(const plan& p, const violation& feeding, const violation& protocol,
                        const violation& epilogue = {});
inline violation first_refusal(const configuration_variation& v) {
  return first_refusal(*v.planned, v.feeding, v.protocol, v.epilogue);
}

template <class K>
configuration_variation prove_variation(const configuration_change& change) {
  constexpr const plan& p = plan_of<K>;
  configuration_variation v{change, &p};
  if constexpr (p.refusal.holds()) {
    if constexpr (protocol_work(p) > most_protocol_work) {
      v.roles_were_run = false;
    } else if constexpr (legality_verdict<K>.holds() && alignment_verdict<K>.holds() && budgets_verdict<K>.holds()) {
      v.feeding = feeding_verdict<K>;
      v.protocol = protocol_verdict<K>;
      if constexpr (reachability_verdict<K>.holds()) v.epilogue = fragments_verdict<K>;
    }
  }
  return v;
}

/// The neighbours of K. Roles are run of those whose proof is no more work than most_protocol_work.
template <class K>
std::vector<configuration_variation> vary_configuration() {
  constexpr configuration_changes changes = neighbours(configuration_of<K>);
  std::vector<configuration_variation> all;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (all.push_back(prove_variation<varied<K, changes.at[I].to>>(changes.at[I])), ...);
  }
  (std::make_integer_sequence<int, changes.count>{});
  return all;
}

}  // namespace sectile::tell
