// What is where in the workspace of a launch, once it is known how many tiles there are.
#pragma once
#include <sectile/dsl/plan/ordered_sums.hpp>

namespace sectile {

/// What a launch says of a scattered output: its rows, and how many summands all of them have.
struct scattered_sizes {
  int rows = 1, summands = 1;
};

/// How the tiles of the work add up in output `o`, where the work has so many tiles along each mode. Slots follow the
/// work's modes, the last one fastest; of a scattered row an index says which they are.
constexpr order_of_tiles order_of_sum(const plan& p, int o, const int* tiles, scattered_sizes s) {
  const operand_facts& work = p.operand[p.work].facts;
  if (p.operand[o].facts.is_scattered()) return {s.rows * tiles[work.tile.rank - 1], s.summands / s.rows, {}, {}};
  order_of_tiles t{};
  for (int w = work.tile.rank - 1; w >= 0; --w) {
    const bool one_item = p.whole_rows && w == work.tile.rank - 1;  // a row of tiles is written at once
    const bool apart = tells_apart(work, p.operand[o], w);
    int& count = apart ? t.groups : t.slots;
    (apart ? t.group_step : t.slot_step)[w] = one_item ? 0 : count;
    if (!one_item) count *= tiles[w];
  }
  return t;
}

/// What is where in a workspace: bytes from its first. Tickets come first: of a split those of each meeting of each
/// tile, then those of the vectors, and last the one from which work is drawn (tickets.hpp).
struct workspace_layout {
  long long split_tickets = 0, tickets = 0;  // of a split, and of all
  long long sums = 0, sum_bytes = 0;         // the parts of a split
  long long numbers = 0, count = 0;          // of four bytes, of tiles that are added up in order
  long long bytes = 0;                       // of all; 0: the kernel needs none
};
/// Of a kernel whose work has so many tiles along each mode; `made`: those of its clusters, beyond the tensor's end as
/// well.
constexpr workspace_layout lay_out_workspace(const plan& p, long long made, const int* tiles, scattered_sizes s = {}) {
  workspace_layout w{};
  if (!needs_workspace(p)) return w;
  if (p.how.uses_workspace()) {
    w.split_tickets = count_parts(p, made).tiles * counters_of_a_tile(p);
    w.sum_bytes = count_parts(p, made).parts * bytes_of_a_part(p);
  }
  w.tickets = w.split_tickets;
  for (int o = 0; o < p.operands; ++o) {
    if (!adds_in_order(p, o)) continue;
    const operand_facts& v = p.operand[o].facts;
    const order_of_tiles t = order_of_sum(p, o, tiles, s);
    w.tickets += static_cast<long long>(t.groups) * warps_of_a_sum(p, v);
    w.count += static_cast<long long>(t.groups) * t.slots * numbers_of_a_tile(v);
  }
  w.tickets += p.how.dynamic;
  w.sums = sums_begin(w.tickets);
  w.numbers = w.sums + w.sum_bytes;
  w.bytes = w.numbers + 4 * w.count;
  return w;
}

}  // namespace sectile
