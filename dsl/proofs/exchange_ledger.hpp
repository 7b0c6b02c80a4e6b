// Parts of columns that the consumers of a CTA show each other: who has written, and who has read.
#pragma once
#include <sectile/dsl/proofs/protocol_state.hpp>

namespace sectile::protocol {

/// Times of the agents' last accesses, 0: there was none. A warpgroup is one agent; that its own threads have met
/// between writing and reading is asked for as well.
template <int Agents>
struct exchange_ledger {
  int shown_at[Agents]{}, looked_at[Agents]{};
  int rounds[Agents]{};  // that an agent has written
  bool alone[Agents]{};  // it has accessed the exchange and not met the others since

  constexpr void meet(int i) { alone[i] = false; }
  /// Agent i writes its part: all that looked at what was there before it are done.
  constexpr violation show(int i, const clock<Agents>& now) {
    for (int w = 0; w < Agents; ++w)
      if (looked_at[w] > now.at[w] || (w == i && alone[i]))
        return refuse(rule::protocol_races, "a part of columns is overwritten while a consumer may still read it");
    shown_at[i] = now.at[i];
    ++rounds[i];
    alone[i] = true;
    return {};
  }
  /// Agent i reads the parts of agents first .. end - 1: all have written as often as it has.
  constexpr violation look(int i, const clock<Agents>& now, int first, int end) {
    for (int w = first; w < end; ++w)
      if (shown_at[w] > now.at[w] || rounds[w] != rounds[i] || (w == i && alone[i]))
        return refuse(rule::protocol_races, "a part of columns is read before all consumers are known to have written");
    looked_at[i] = now.at[i];
    alone[i] = true;
    return {};
  }
};

}  // namespace sectile::protocol
