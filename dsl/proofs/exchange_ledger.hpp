// Parts of columns that consumers show each other, those of a CTA or of several: who has written, and who has read.
#pragma once
#include <sectile/dsl/proofs/protocol_state.hpp>

namespace sectile::protocol {

/// Of one buffer in all CTAs: times of the agents' last accesses, 0: there was none. A warpgroup is one agent, and its
/// access is over when its threads have met behind it; or, of reads, when the lanes of each warp have, and then each
/// warp has shown something to others.
template <int Agents, int Ctas>
struct exchange_ledger {
  static constexpr int not_over = 0x7fffffff, over_in_each_warp = not_over - 1;
  int shown_at[Agents][Ctas]{}, looked_at[Agents]{};
  int rounds[Agents][Ctas]{};  // that an agent has written for a CTA

  /// The threads of agent i meet, at its time `now`.
  constexpr void meet(int i, int now) {
    for (int& at : shown_at[i])
      if (at == not_over) at = now;
    if (looked_at[i] >= over_in_each_warp) looked_at[i] = now;
  }
  constexpr void meet_lanes(int i) {
    if (looked_at[i] == not_over) looked_at[i] = over_in_each_warp;
  }
  /// All warps of agent i show something at its time `now`, in this buffer or the other one.
  constexpr void pass(int i, int now) {
    if (looked_at[i] == over_in_each_warp) looked_at[i] = now;
  }
  /// Agent i writes its part for the agents of CTA `cta` that looks(w) names: they are done with what was there before.
  /// `counted`: who waits for the barrier that counts its bytes knows that all of it has come.
  template <class Looks>
  constexpr violation show(int i, const clock<Agents>& now, int cta, bool counted, Looks looks) {
    for (int w = 0; w < Agents; ++w)
      if (looks(w) && looked_at[w] > now.at[w])
        return refuse(rule::protocol_races, "a part of columns is overwritten while a consumer may still read it");
    shown_at[i][cta] = counted ? now.at[i] : not_over;
    ++rounds[i][cta];
    return {};
  }
  /// Agent i of CTA `cta` reads the parts of the agents that shows(w) names: all have written as often as it has.
  template <class Shows>
  constexpr violation look(int i, const clock<Agents>& now, int cta, Shows shows) {
    for (int w = 0; w < Agents; ++w)
      if (shows(w) && (shown_at[w][cta] > now.at[w] || rounds[w][cta] != rounds[i][cta]))
        return refuse(rule::protocol_races, "a part of columns is read before all consumers are known to have written");
    looked_at[i] = not_over;
    return {};
  }
};

}  // namespace sectile::protocol
