// Which runs the protocol's proof makes: how often each loop turns, how many output tiles a role walks, and how much
// there is to write down.
#pragma once
#include <sectile/dsl/proofs/recording.hpp>

namespace sectile::protocol {

constexpr int stages_in(const plan_head& p) {
  return sum_of(p.rings, [&](int r) { return p.ring[r].stages; });
}
/// With one loop, a run for each number of trips from 0 (or 1) to 2 x stages + 1. With more, all combinations of 0 to 2
/// trips, and each loop alone from 3 on while the others turn once. Not all of them are needed, see repeats()
/// (docs/protocol.md says why the rest is enough).
constexpr int longest(const plan_head& p) { return 2 * p.how.stages + 1; }
constexpr int combined_trips = 3;  // 0, 1, 2
constexpr int combined_runs(const plan_head& p) {
  int n = 1;
  for (int i = 0; i < p.loops.count; ++i) n *= combined_trips;
  return n;
}
constexpr int protocol_runs(const plan_head& p) {
  if (p.loops.count <= 1) return longest(p) + 1;
  const int alone = longest(p) + 1 - combined_trips;
  return combined_runs(p) + (alone > 0 ? alone : 0) * p.loops.count;
}
/// Trips of the loops in run number `n`.
constexpr loop_table protocol_trips(const plan_head& p, int n) {
  loop_table l = p.loops;
  const int combined = combined_runs(p), alone = longest(p) + 1 - combined_trips;
  for (int i = 0, rest = n; i < l.count; ++i, rest /= combined_trips) {
    if (l.count == 1)
      l.trips[i] = n;
    else if (n < combined)
      l.trips[i] = rest % combined_trips;
    else
      l.trips[i] = (n - combined) / alone == i ? combined_trips + (n - combined) % alone : 1;
    if (l.trips[i] < l.least[i]) l.trips[i] = l.least[i];
  }
  return l;
}
/// Whether run number `n` shows nothing that the others do not: it is one of those before it again, because some loop
/// cannot turn less often; or it is a longer one than the first in which every picture of S + 1 trips occurs, and not
/// the longest.
constexpr bool repeats(const plan_head& p, int n) {
  const loop_table now = protocol_trips(p, n);
  for (int i = 0; i < now.count; ++i)
    if (now.trips[i] > p.how.stages + 1 && now.trips[i] < longest(p)) return true;
  for (int before = 0; before < n; ++before) {
    const loop_table l = protocol_trips(p, before);
    bool same = true;
    for (int i = 0; i < now.count; ++i) same = same && now.trips[i] == l.trips[i];
    if (same) return true;
  }
  return false;
}
/// Runs that are made.
constexpr int tried_runs(const plan_head& p) {
  return sum_of(protocol_runs(p), [&](int n) { return !repeats(p, n); });
}
/// Output tiles that the proof walks. Two of each consumer show that rings are carried from tile to tile: enough as
/// long as the first can leave them at every stage. (Where consumers have tiles of their own, one tile, of the longest
/// runs, is the first one's alone. Where work is drawn, short runs walk until each slot of its ring is used again: what
/// is done there does not hang on how long a tile takes. Where tiles are cut, a walk has a whole one and two parts.)
constexpr int items_of(const plan_head& p, const loop_table& l) {
  const int most = most_of(l.count, 0, [&](int i) { return l.trips[i]; });
  if (!p.how.persistent || most > p.how.stages + 1) return 1;
  return most > 1 && !p.how.streamed ? 2 * p.how.tiles_at_once() : longest_walk(p.how);
}
/// A consumer meets, shows, meets and looks; where CTAs share a tile it announces bytes, its lanes meet, it shows its
/// part to each CTA, eight columns at a time, waits, and looks.
constexpr int actions_of_an_exchange(const plan_head& p) {
  return p.exchange.columns == 0 ? 0 : p.exchange.ctas == 1 ? 4 : 4 + p.exchange.ctas * p.exchange.columns / 8;
}
/// Panels that a consumer stores of a tile, the most of one output.
constexpr int most_panels(const plan_head& p) {
  return most_of(p.epilogues, 1, [&](int n) { return p.epilogue[n].panels; });
}
/// What an agent does at a position, at most: the producer of a tile waits, announces its bytes and sends its boxes; a
/// consumer does what the plan's step says besides the event itself.
constexpr int actions_at(const plan& p, const step& s) {
  const int itself = s.kind == event_kind::read || s.kind == event_kind::issue ? 3 : 1;
  const int stored = s.kind == event_kind::store ? most_panels(p) : 0;
  const int exchanged = actions_of_an_exchange(p);
  int sent = 0, done = 10 * stored + exchanged + itself;
  if (s.kind == event_kind::issue && p.placed.places > 0) done += 4;  // they meet, write, fence, and meet
  done += (s.wait >= 0) + (s.wait_after >= 0) + s.fence + s.wait_in_order + s.arrive_in_order;
  if (s.kind == event_kind::load)
    for (int o = 0; o < p.operands; ++o) {
      const operand_plan& op = p.operand[o];
      const int boxes = op.panels * op.boxes_per_panel + op.metadata.k_blocks;  // those of threads are one action
      sent = 2 + boxes > sent ? 2 + boxes : sent;
    }
  for (int r = 0; r < p.rings; ++r) done += s.release[r] * peers(p.ring[r], p.how.cluster);
  done += s.kind == event_kind::load && p.gather_warps > 0;  // a fence behind the wait
  if (s.meeting >= 0) done += p.how.uses_workspace() ? p.how.fan_in > 0 ? 16 : 8 : 8 + 4 * p.how.split;
  return sent > done ? sent : done;
}
/// From position `at` up to `end`, with the trips of the loops in between.
constexpr int actions_between(const plan& p, const loop_table& l, int at, int end) {
  int n = 0;
  while (at < end) {
    const int loop = l.find(at);
    if (loop >= 0)
      n += l.trips[loop] * actions_between(p, l, at + 1, p.steps[at].loop_end);
    else
      n += actions_at(p, p.steps[at]);
    at = loop >= 0 ? p.steps[at].loop_end : at + 1;
  }
  return n;
}
/// Panels that a consumer stores of a tile, of all outputs.
constexpr int panels_stored(const plan_head& p) {
  return sum_of(p.epilogues, [&](int n) { return p.epilogue[n].panels; });
}
/// What a consumer does besides where it writes vectors, which are no events: it may exchange columns to finish what
/// it writes, and to sum it in order.
constexpr int exchanged_for_vectors(const plan& p) {
  const auto writes = [&](int o) {
    return (p.operand[o].facts.kind == operand_kind::vector_output) + adds_in_order(p, o);
  };
  return actions_of_an_exchange(p) * sum_of(p.operands, writes);
}
/// The producer draws, waits for a slot, hands the number out, announces it, waits, reads, and may meet; a consumer
/// waits, reads, meets and arrives.
constexpr int actions_of_a_draw(const plan_head& p) { return p.how.dynamic ? 5 + p.how.ctas() + producers_meet(p) : 0; }
/// Room for what one agent does: the barriers' set-up, and the body of each output tile.
constexpr int log_capacity(const plan& p, const loop_table& l) {
  return 32 + 2 * stages_in(p) + count_cluster_barriers(p) +
         items_of(p, l) * (3 + actions_of_a_draw(p) + exchanged_for_vectors(p) + actions_between(p, l, 0, p.positions));
}

/// Of the longest run: one capacity for all, so that the roles are instantiated once.
constexpr int log_capacity(const plan& p) {
  return most_of(protocol_runs(p), 0, [&](int run) { return log_capacity(p, protocol_trips(p, run)); });
}

template <class K>
inline constexpr int log_capacity_of = log_capacity(plan_of<K>);

}  // namespace sectile::protocol
