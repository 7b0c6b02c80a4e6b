// Left factors that consumers write to shared memory for a product that they share: who has written, and who may still
// read.
#pragma once
#include <sectile/dsl/proofs/protocol_state.hpp>

namespace sectile::protocol {

/// Of one place: times of the agents' last accesses, 0: there was none. A warpgroup is one agent. What it writes is
/// there for products when its threads have met behind a proxy fence, and what its products read may be written over
/// when they have met behind a wait for these.
template <int Agents>
struct factor_ledger {
  static constexpr int open = 0x7fffffff, until_they_meet = open - 1;
  int written_at[Agents]{}, read_at[Agents]{};
  int rounds[Agents]{};  // that an agent has written

  /// The threads of agent i meet, at its time `now`.
  constexpr void meet(int i, int now) {
    if (written_at[i] == until_they_meet) written_at[i] = now;
    if (read_at[i] == until_they_meet) read_at[i] = now;
  }
  constexpr void fence(int i) {
    if (written_at[i] == open) written_at[i] = until_they_meet;
  }
  /// No product of agent i that reads the factor is running any more.
  constexpr void retire(int i) {
    if (read_at[i] == open) read_at[i] = until_they_meet;
  }
  /// Agent i writes its part; shares(w): agent w has one as well, and reads them all.
  template <class Shares>
  constexpr violation write(int i, const clock<Agents>& now, Shares shares) {
    for (int w = 0; w < Agents; ++w)
      if (shares(w) && read_at[w] > now.at[w])
        return refuse(rule::protocol_races, "a left factor is overwritten while a product may still read it");
    written_at[i] = open;
    ++rounds[i];
    return {};
  }
  /// A product of agent i reads the parts of the agents that shares(w) names: all have written as often as it has.
  template <class Shares>
  constexpr violation read(int i, const clock<Agents>& now, Shares shares) {
    for (int w = 0; w < Agents; ++w)
      if (shares(w) && (rounds[w] == 0 || written_at[w] > now.at[w] || rounds[w] != rounds[i]))
        return refuse(rule::protocol_races,
                      "a left factor is read by a product before all consumers are known to have "
                      "written it, with a fence.proxy.async behind");
    read_at[i] = open;
    return {};
  }
};

}  // namespace sectile::protocol
