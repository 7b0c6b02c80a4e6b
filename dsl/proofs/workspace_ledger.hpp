// What a CTA does in the workspace, as the protocol's proof follows it: its consumers leave their parts of the sums,
// one of them takes a ticket for all, and those who know of it read the parts of all CTAs.
//
// Other CTAs need not be followed. They do the same, and nobody waits for them: of two tickets of a tile the later one
// knows what happened before the earlier (release and acquire), so a CTA whose ticket comes behind all its consumers'
// writes hands over all of its part, and one that reads behind its ticket, which is the last, finds all parts.
#pragma once
#include <sectile/dsl/proofs/protocol_state.hpp>

namespace sectile::protocol {

template <int Agents>
struct workspace_ledger {
  int left[Agents]{};  // when a consumer has left its part, on its own clock; 0: it has not
  int taker = 0;       // of the ticket
  int taken = 0;       // when, on its clock; 0: nobody has

  /// Consumer number `own` is agent i; `place`: to which consumer the words belong that it writes.
  constexpr violation leave(int i, const clock<Agents>& now, int own, int place) {
    left[i] = now.at[i];
    if (own != place)
      return refuse(rule::protocol_races, "consumer ", own,
                    " leaves its sums in the workspace where those of consumer ", place, " belong");
    if (taken > 0)
      return refuse(rule::protocol_races, "consumer ", own, " leaves sums in the workspace behind the ticket that ",
                    "hands them over");
    return {};
  }
  /// `open`: some warps of agent i may not have written yet. Agents first .. end - 1 are the CTA's consumers.
  constexpr violation take(int i, const clock<Agents>& now, bool open, int first, int end) {
    for (int w = first; w < end; ++w)
      if (left[w] == 0 || now.at[w] < left[w] || open)
        return refuse(rule::protocol_races, "a ticket of the tile is taken before consumer ", w - first,
                      " is known to have left its sums in the workspace");
    if (taken > 0) return refuse(rule::protocol_races, "two tickets of a tile are taken for one part");
    taker = i;
    taken = now.at[i];
    return {};
  }
  constexpr violation read(const clock<Agents>& now, int own, int place) const {
    if (own != place)
      return refuse(rule::protocol_races, "consumer ", own, " reads sums of consumer ", place, " in the workspace");
    if (taken == 0 || now.at[taker] < taken)
      return refuse(rule::protocol_races, "consumer ", own,
                    " reads sums in the workspace without knowing of the ticket ", "that says they are there");
    return {};
  }
};

}  // namespace sectile::protocol
