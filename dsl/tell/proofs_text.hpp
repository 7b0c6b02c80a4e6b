// The proofs of a kernel in words: what each one covered, and what it said.
#pragma once
#include <string>

#include <sectile/dsl/proofs/verified.hpp>
#include <sectile/dsl/tell/words.hpp>

namespace sectile::tell {

/// One line of the list: "holds", or why not.
inline void add_proof(table& t, const char* name, const violation& v, const std::string& covered) {
  t.add(name, v.holds() ? std::string("holds") : say("FAILS: ", v.says.text), covered);
}

/// Every proof of kernel K. Precondition: its plan holds.
template <class K>
std::string proofs_text() {
  constexpr const plan& p = plan_of<K>;
  int addresses = 0;
  for (int r = 0; r < p.rings; ++r) addresses += p.ring[r].stages * p.ring[r].members;
  table t;
  add_proof(t, "legality", legality_verdict<K>,
            say(count(p.products.count, "product"), " of wgmma instructions that exist, tiles and schedule"));
  add_proof(t, "alignment", alignment_verdict<K>,
            say(count(addresses, "tile"), " and ", count(p.how.consumers * p.epilogue.buffers, "panel"),
                " in shared memory, every box and descriptor field"));
  add_proof(t, "budgets", budgets_verdict<K>, "shared memory, registers, threads, barriers");
  add_proof(t, "reachability", reachability_verdict<K>,
            say(chunks_compared(p), " chunks of 16 bytes: where TMA writes each is where wgmma reads it"));
  add_proof(t, "banks", banks_verdict<K>, "every store of the epilogue");
  add_proof(t, "protocol", protocol_verdict<K>,
            say("no deadlock and no race in any interleaving, right byte and arrival counts, for loops of up to ",
                protocol::longest(p), " trips (", count(protocol::protocol_runs(p), "run"), ")"));
  return t.text();
}

}  // namespace sectile::tell
