// The ring through which drawn work comes to all roles (plan/tickets.hpp), as the protocol's proof follows it: which
// number is in which slot, who has read it, and what of that the one who writes the next one knows.
//
// It is what the proof's premise stands on: the n-th number that a role takes is the n-th that was drawn, in all roles
// of the cluster, whatever the order in which they come.
#pragma once
#include <sectile/dsl/proofs/protocol_state.hpp>

namespace sectile::protocol {

/// One slot in one CTA. Many threads are one agent, and its reading is over when they have met behind it.
template <int Agents>
struct ticket_slot {
  static constexpr int not_over = 0x7fffffff;
  int item = -1;                // that is in it, or on its way
  int writes = 0;               // so far
  int barrier = -1, phase = 0;  // whose phase says that it has come
  int reads[Agents]{}, read_at[Agents]{};

  /// Somebody writes at the time `now`, so that phase number `phase_then` of a barrier counts it; first .. end - 1 are
  /// those who read here.
  constexpr violation write(const clock<Agents>& now, int number, int counted_by, int phase_then, int first, int end) {
    for (int w = first; w < end; ++w)
      if (reads[w] < writes || read_at[w] > now.at[w])
        return refuse(rule::protocol_races, "the number of a work item, ", number, ", is written over ", item,
                      ", which ", w == first ? "the producer" : "a consumer", " may not have read yet");
    item = number;
    ++writes;
    barrier = counted_by;
    phase = phase_then;
    return {};
  }
  /// Agent i, of one thread or more, takes it for the number of its next item, of which the cluster's is `number`, when
  /// it has waited for so many phases of the barrier. (To know of the write is not enough, not even for who has
  /// written: the word is on its way for as long as it likes.)
  constexpr violation read(int i, const clock<Agents>& now, int number, int passed, const char* who, bool alone) {
    if (writes == 0 || passed < phase)
      return refuse(rule::protocol_races, who,
                    " reads the number of its next work item without having waited until it is there");
    if (reads[i] != writes - 1 || item != number)
      return refuse(rule::protocol_races, who, " takes ", item, " for the number of its next work item, which is ",
                    number, ": not all roles of the cluster would make the same tile");
    reads[i] = writes;
    read_at[i] = alone ? now.at[i] : not_over;
    return {};
  }
  /// The threads of agent i meet.
  constexpr void meet(int i, int now) {
    if (read_at[i] == not_over) read_at[i] = now;
  }
};

}  // namespace sectile::protocol
