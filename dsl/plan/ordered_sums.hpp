// Sums over the tiles of several CTAs in one fixed order: sm.combine(v, .., reduction::add), and rows of a scattered
// output (scatter.hpp).
//
// Each tile leaves its own numbers in the workspace, in a slot of its own, and takes a ticket; who finds that all other
// tiles have been there adds up the slots, in the order of the tiles, and stores the element. So the bits do not hang
// on who that is, and nobody waits for a CTA that may not run.
//
// Tiles whose numbers belong to the same elements of v are a group: they are alike in the modes by which v is told
// apart, and the modes that v lacks count them. Numbers and tickets belong to a warp: a warp adds up, in all tiles of a
// group, the same elements. So the consumers of a CTA need not meet for this, and the tickets of a group are as many
// counters as it has warps.
//
// In the workspace (workspace.hpp) the tickets lie behind those of a split, and the numbers behind its sums: of each
// vector those of each group, of these those of each slot, of them an f32 for each element of the vector's part.
#pragma once
#include <sectile/dsl/plan/vector_outputs.hpp>
#include <sectile/dsl/plan/workspace.hpp>

namespace sectile {

constexpr bool adds_in_order(const plan& p, int o) {
  return p.operand[o].combined == reduction::add || p.operand[o].facts.is_scattered();
}
/// Outputs that are summed in a fixed order, of the operands before number `end`.
constexpr int count_ordered_sums(const plan& p, int end) {
  return sum_of(end, [&](int o) { return adds_in_order(p, o); });
}
constexpr int count_ordered_sums(const plan& p) { return count_ordered_sums(p, p.operands); }
constexpr bool needs_workspace(const plan& p) {
  return p.how.uses_workspace() || p.how.dynamic || count_ordered_sums(p) > 0;
}

/// Numbers that a tile leaves of a vector, or words of each row that is scattered; and the warps of a tile that have
/// some of them.
constexpr int numbers_of_a_tile(const operand_facts& f) {
  return f.is_scattered() ? f.cols() * f.type.bits / 32 : f.cols();
}
constexpr int warps_of_a_sum(const plan& p, const operand_facts& f) {
  return f.is_scattered() || numbers_of_a_tile(f) == 1 ? 1 : p.how.sharers() * (warpgroup / 32);
}

/// What a launch says of a scattered output: its rows, and how many summands all of them have.
struct scattered_sizes {
  int rows = 1, summands = 1;
};

/// How the tiles of the work add up: which group is a tile's, and which slot of it.
struct order_of_tiles {
  int groups = 1, slots = 1;
  int group_step[max_rank]{}, slot_step[max_rank]{};  // for each tile along a mode of the work

  constexpr int group_of(const tile_coordinates<max_rank>& tile) const { return place(tile, group_step); }
  constexpr int slot_of(const tile_coordinates<max_rank>& tile) const { return place(tile, slot_step); }

 private:
  static constexpr int place(const tile_coordinates<max_rank>& tile, const int (&step)[max_rank]) {
    int n = 0;
    for (int d = 0; d < max_rank; ++d) n += tile.at[d] * step[d];
    return n;
  }
};
/// That of output `o`, where the work has so many tiles along each mode. Slots follow the work's modes, the last one
/// fastest; of a scattered row an index says which they are.
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
