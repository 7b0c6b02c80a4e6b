// Which runs the protocol's proof makes: how often each loop turns, how many output tiles a role walks, and how much
// there is to write down.
#pragma once
#include <sectile/dsl/proofs/recorder.hpp>

namespace sectile::protocol {

constexpr int stages_in(const plan& p) {
  int n = 0;
  for (int r = 0; r < p.rings; ++r) n += p.ring[r].stages;
  return n;
}
/// With one loop, a run for each number of trips from 0 (or 1) to 2 x stages + 1. With more, all combinations of 0 to 2
/// trips, and each loop alone from 3 on while the others turn once. Not all of them are needed, see repeats()
/// (docs/protocol.md says why the rest is enough).
constexpr int longest(const plan& p) { return 2 * p.how.stages + 1; }
constexpr int combined_trips = 3;  // 0, 1, 2
constexpr int combined_runs(const plan& p) {
  int n = 1;
  for (int i = 0; i < p.loops.count; ++i) n *= combined_trips;
  return n;
}
constexpr int protocol_runs(const plan& p) {
  if (p.loops.count <= 1) return longest(p) + 1;
  const int alone = longest(p) + 1 - combined_trips;
  return combined_runs(p) + (alone > 0 ? alone : 0) * p.loops.count;
}
/// Trips of the loops in run number `n`.
constexpr loop_table protocol_trips(const plan& p, int n) {
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
constexpr bool repeats(const plan& p, int n) {
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
constexpr int tried_runs(const plan& p) {
  int tried = 0;
  for (int n = 0; n < protocol_runs(p); ++n) tried += !repeats(p, n);
  return tried;
}
/// Output tiles that the proof walks. Two show that rings are carried from tile to tile: enough as long as the first
/// can leave them at every stage.
constexpr int items_of(const plan& p, const loop_table& l) {
  int most = 0;
  for (int i = 0; i < l.count; ++i) most = l.trips[i] > most ? l.trips[i] : most;
  return p.how.persistent && most <= p.how.stages + 1 ? 2 : 1;
}
/// Room for what one agent does: a fixed part (set-up, epilogues) and a part for every trip.
constexpr int log_capacity(const plan& p, const loop_table& l) {
  int tiles = 1;  // trips, nested loops multiplied
  for (int i = 0; i < l.count; ++i) tiles += l.trips[i];
  if (l.count > 1) tiles *= 2;
  int boxes = 0;
  for (int o = 0; o < p.operands; ++o)
    boxes += p.operand[o].panels * p.operand[o].boxes_per_panel + p.operand[o].metadata.k_blocks;
  return 64 + 2 * stages_in(p) + 20 * p.epilogue.panels + (tiles + 1) * items_of(p, l) * (3 * p.positions + boxes);
}

/// Of the longest run: one capacity for all, so that the roles are instantiated once.
constexpr int log_capacity(const plan& p) {
  int most = 0;
  for (int run = 0; run < protocol_runs(p); ++run) {
    const int capacity = log_capacity(p, protocol_trips(p, run));
    most = capacity > most ? capacity : most;
  }
  return most;
}

}  // namespace sectile::protocol
