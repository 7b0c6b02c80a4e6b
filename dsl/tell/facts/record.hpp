// A kernel of any type as one value: all that a page about it is made of. What needs the kernel's type is here and in
// what this includes; everything else works on `kernel_record` and is compiled once.
#pragma once
#include <cstdint>
#include <string>

#include <sectile/dsl/launch/kernel_name.hpp>
#include <sectile/dsl/tell/facts/variation.hpp>
#include <sectile/dsl/tell/facts/witness.hpp>
#include <sectile/dsl/tell/proofs_text.hpp>

namespace sectile::tell {

/// What the proof of the protocol went through: so many runs of all agents (a producer or consumer of some CTA of the
/// cluster), and the actions in them. A copy is that of a tile into a stage, in however many boxes, or of a panel out.
struct protocol_census {
  int agents = 0, runs = 0, longest = 0;
  int actions = 0, waits = 0, arrivals = 0, copies = 0, products = 0, touches = 0;
};

/// What all proofs of a kernel said, and the first of them that does not hold.
struct proof_results {
  verdicts said{};
  protocol_census protocol{};
  violation verdict{};
};

/// The proofs that are functions of a plan.
void prove_plan(const plan& p, verdicts& to);

struct kernel_record {
  std::string type{};                  // as a reader of the program writes it
  const plan* planned = nullptr;       // also of a kernel that is refused, as far as planning came
  proof_results (*prove)() = nullptr;  // nullptr: there is no plan to prove
  witnessed_run (*read)() = nullptr;   // nullptr: refused before its body was read
  std::vector<configuration_variation> (*vary)() = nullptr;
};

/// Counts what agent `a` of a finished run has done.
template <class Agent>
constexpr void count_actions(const Agent& a, protocol_census& to) {
  for (int i = 0; i < a.next; ++i) {
    const protocol::act what = a.log.at[i].what;
    ++to.actions;
    to.waits += what == protocol::act::wait || what == protocol::act::meet || what == protocol::act::gather;
    to.arrivals +=
        what == protocol::act::arrive || what == protocol::act::expect || what == protocol::act::arrive_copied;
    to.copies += what == protocol::act::load || what == protocol::act::copy || what == protocol::act::store_panel;
    to.products += what == protocol::act::multiply;
    to.touches += what == protocol::act::touch;
  }
}

/// One run of the protocol's proof, as check_protocol<K, Run>() makes it, with a count of what it went through.
struct counted_run {
  violation verdict{};
  protocol_census census{};
};
template <class K>
constexpr counted_run count_run(int run) {
  counted_run r{};
  if (protocol::repeats(plan_of<K>, run)) return r;
  r.verdict = protocol::run_in_all_ways<K>([&](unsigned last) { return protocol::cluster_run<K>(run, last); },
                                           [&](const protocol::cluster_run<K>& ended) {
                                             ++r.census.runs;
                                             for (const auto& agent : ended.of) count_actions(agent, r.census);
                                           });
  return r;
}
template <class K, int Run>
inline constexpr counted_run counted_run_of = count_run<K>(Run);

/// When the proofs that run the lowered roles are made: a second or two while a kernel is compiled, or a millisecond when
/// they are asked for. The latter takes a kernel whose body is the same in both: where an operator has two operands that
/// do something, constant evaluation takes the left one first, as nvcc does, and g++'s code the right one.
enum class proofs_are_made : std::uint8_t { as_this_is_compiled, when_asked };

/// All runs, up to the first that fails. Adds to `to`.
template <class K, proofs_are_made When, int... Run>
violation prove_protocol(protocol_census& to, std::integer_sequence<int, Run...>) {
  violation verdict{};
  const auto add = [&](const counted_run& r) {
    verdict = r.verdict;
    to.runs += r.census.runs;
    to.actions += r.census.actions;
    to.waits += r.census.waits;
    to.arrivals += r.census.arrivals;
    to.copies += r.census.copies;
    to.products += r.census.products;
    to.touches += r.census.touches;
  };
  if constexpr (When == proofs_are_made::as_this_is_compiled)
    ((verdict.holds() ? add(counted_run_of<K, Run>) : void()), ...);
  else
    for (int run = 0; verdict.holds() && run < static_cast<int>(sizeof...(Run)); ++run) add(count_run<K>(run));
  return verdict;
}

/// Every proof of K. Precondition: the plan holds.
template <class K, proofs_are_made When>
proof_results prove_again() {
  constexpr const plan& p = plan_of<K>;
  proof_results r;
  r.protocol.agents = protocol::cluster_run<K>::agents;
  r.protocol.longest = protocol::longest(p);
  prove_plan(p, r.said);
  violation epilogue{};
  if constexpr (legality_verdict<K>.holds() && alignment_verdict<K>.holds() && budgets_verdict<K>.holds()) {
    if constexpr (When == proofs_are_made::as_this_is_compiled) {
      r.said.feeding = feeding_verdict<K>;
      if constexpr (reachability_verdict<K>.holds()) epilogue = fragments_verdict<K>;
    } else {
      r.said.feeding = protocol::check_loads<K>();
      if (r.said.feeding.holds()) r.said.feeding = protocol::check_feeding<K>();
      if constexpr (reachability_verdict<K>.holds()) {
        epilogue = check_epilogue<K>();
        if (epilogue.holds()) epilogue = check_walk<K>();
      }
    }
    r.said.protocol = prove_protocol<K, When>(r.protocol, std::make_integer_sequence<int, protocol::protocol_runs(p)>{});
  }
  if (r.said.fragments.holds()) r.said.fragments = epilogue;
  r.verdict = first_refusal(p, r.said.feeding, r.said.protocol, epilogue);
  return r;
}

/// Kernel K without its neighbours. Compile the file that calls this with -g1, so that lines of the program can be named.
template <class K, proofs_are_made When = proofs_are_made::as_this_is_compiled>
kernel_record record_alone() {
  constexpr const plan& p = plan_of<K>;
  kernel_record r{.type = kernel_name<K>(), .planned = &p};
  if constexpr (p.positions > 0) r.read = read_with_witnesses<K>;
  if constexpr (p.refusal.holds()) r.prove = prove_again<K, When>;
  return r;
}

/// Kernel K, and its neighbours as vary_configuration<K> proves them.
template <class K, proofs_are_made When = proofs_are_made::as_this_is_compiled>
kernel_record record_of() {
  kernel_record r = record_alone<K, When>();
  r.vary = vary_configuration<K>;
  return r;
}

}  // namespace sectile::tell
