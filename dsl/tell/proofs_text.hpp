// The proofs of a kernel in words: what each one covered, and what it said.
#pragma once
#include <string>

#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/proofs/verified.hpp>

namespace sectile::tell {

/// 16-byte chunks of which reachability is shown.
constexpr int chunks_compared(const plan& p) {
  int n = 0;
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    if (is_repeated(p, i)) continue;
    if (q.reads_a()) n += bytes(q.a) / 16;
    n += bytes(q.b) / 16;
  }
  return n;
}

/// What the proofs of a kernel say; by default, of one that compiles, that all hold.
struct verdicts {
  violation legality{}, reachability{}, feeding{}, alignment{}, budgets{}, protocol{}, fragments{}, banks{};
};

/// One proof: what it said, and what it looked at.
struct proof_line {
  const char* name;
  violation verdict{};
  std::string covered{};
};

/// Every proof of a kernel with this plan. Precondition: the plan holds.
inline std::vector<proof_line> proof_lines(const plan& p, const verdicts& said = {}) {
  int addresses = 0, buffers = 0, panels = 0;
  for (int r = 0; r < p.rings; ++r) addresses += p.ring[r].stages * p.ring[r].members;
  for (int n = 0; n < p.epilogues; ++n) {
    buffers += p.how.consumers * p.epilogue[n].buffers;
    panels += p.how.sharers() * p.epilogue[n].panels;
  }
  return {
      {"legality", said.legality,
       say(count(p.products.count, "product"), " of wgmma instructions that exist, tiles and configuration")},
      {"reachability", said.reachability,
       say(chunks_compared(p), " chunks of 16 bytes: where TMA writes each is where wgmma reads it")},
      {"feeding", said.feeding,
       "what the lowered roles copy and multiply: every box, K step and panel once, to and from its place"},
      {"alignment", said.alignment,
       say(count(addresses, "tile"), " and ", count(buffers, "panel"),
           " in shared memory, every box and descriptor field")},
      {"budgets", said.budgets, "shared memory, registers, threads, barriers"},
      {"protocol", said.protocol,
       say("no deadlock, no race and no register in use in any interleaving, right byte and arrival counts, for loops "
           "of up to ",
           protocol::longest(p), " trips (", count(protocol::tried_runs(p), "run"), ")")},
      {"fragments", said.fragments,
       say("registers and elements one to one; ", count(panels, "panel"), " of the epilogue store each element once")},
      {"banks", said.banks, "every store of the epilogue"}};
}

/// The same as a table: "holds", or why not.
inline std::string proofs_text(const plan& p, const verdicts& said = {}) {
  table t;
  for (const proof_line& l : proof_lines(p, said))
    t.add(l.name, l.verdict.holds() ? std::string("holds") : say("FAILS: ", l.verdict.says.text), l.covered);
  return t.text();
}

/// Every proof of kernel K. Precondition: its plan holds.
template <class K>
std::string proofs_text() {
  return proofs_text(plan_of<K>,
                     {legality_verdict<K>, reachability_verdict<K>, feeding_verdict<K>, alignment_verdict<K>,
                      budgets_verdict<K>, protocol_verdict<K>, fragments_verdict<K>, banks_verdict<K>});
}

}  // namespace sectile::tell
