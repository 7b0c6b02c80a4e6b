// What a CTA does in the workspace, as the protocol's proof follows it: its consumers leave their parts of some sums,
// one of them takes a ticket for all, and those who know of it read the parts of all CTAs.
//
// Other CTAs need not be followed. They do the same, and nobody waits for them before the first ticket: of two tickets
// of a tile the later one knows what happened before the earlier (release and acquire), so a CTA whose ticket comes
// behind all its consumers' writes hands over all of its part, and one that reads behind its ticket, which is the last,
// finds all parts. From then on every other part is known to run and to wait for nobody, so the last one may wait for
// the tickets of later meetings.
//
// Where groups of parts meet first, all this is so of a group: who is its last has all of it, and goes on to the
// meeting of groups, which no other part of the group comes to. Whose ticket is the last there has what all groups have
// become.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/proofs/protocol_state.hpp>

namespace sectile::protocol {

template <int Agents>
struct workspace_ledger {
  /// By whom, and when on its clock; 0: by nobody yet.
  struct deed {
    int by = 0, at = 0;
    constexpr bool is_known(const clock<Agents>& now) const { return at > 0 && now.at[by] >= at; }
  };
  struct meeting_state {
    int left[Agents]{};  // when a consumer has left its part, on its own clock; 0: it has not
    deed taken{};        // the ticket
    deed awaited{};      // those of all other parts
  };
  meeting_state meeting[max_meetings]{};

  /// Consumer number `own` is agent i; `place`: to which consumer the words belong that it writes. `of_groups`: the
  /// meeting is that of groups, and `last` that the CTA's ticket of its group is the last.
  constexpr violation leave(int i, const clock<Agents>& now, int number, int own, int place, bool of_groups,
                            bool last) {
    meeting[number].left[i] = now.at[i];
    if (of_groups && !(last && meeting[0].taken.is_known(now)))
      return refuse(rule::protocol_races, "consumer ", own,
                    " leaves what its group has become in the workspace without ",
                    "knowing of a ticket that is the group's last");
    if (own != place)
      return refuse(rule::protocol_races, "consumer ", own,
                    " leaves its sums in the workspace where those of consumer ", place, " belong");
    if (meeting[number].taken.at > 0)
      return refuse(rule::protocol_races, "consumer ", own, " leaves sums in the workspace behind the ticket that ",
                    "hands them over");
    return {};
  }
  /// `open`: some warps of agent i may not have written yet. Agents first .. end - 1 are the CTA's consumers.
  constexpr violation take(int i, const clock<Agents>& now, int number, bool open, int first, int end) {
    meeting_state& m = meeting[number];
    for (int w = first; w < end; ++w)
      if (m.left[w] == 0 || now.at[w] < m.left[w] || open)
        return refuse(rule::protocol_races, "a ticket of the tile is taken before consumer ", w - first,
                      " is known to have left its sums in the workspace");
    if (m.taken.at > 0) return refuse(rule::protocol_races, "two tickets of a tile are taken for one part");
    m.taken = {i, now.at[i]};
    return {};
  }
  /// `last`: the CTA's first ticket is the tile's last.
  constexpr violation await(int i, const clock<Agents>& now, int number, bool last) {
    if (number == 0 || !last || !meeting[0].taken.is_known(now))
      return refuse(rule::protocol_deadlocks,
                    "a part of a tile waits in the workspace for others, of which it does not ",
                    "know that they run: that is for the one whose first ticket is the last");
    meeting[number].awaited = {i, now.at[i]};
    return {};
  }
  constexpr violation read(const clock<Agents>& now, int number, int own, int place, bool of_groups) const {
    if (own != place)
      return refuse(rule::protocol_races, "consumer ", own, " reads sums of consumer ", place, " in the workspace");
    const meeting_state& m = meeting[number];
    if (!(number == 0 || of_groups ? m.taken : m.awaited).is_known(now))
      return refuse(rule::protocol_races, "consumer ", own,
                    " reads sums in the workspace without knowing of the ticket that says they are there");
    return {};
  }
};

}  // namespace sectile::protocol
