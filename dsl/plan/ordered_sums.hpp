// Sums over the tiles of several CTAs in one fixed order: sm.combine(v, .., reduction::add), and rows of a scattered
// output (scatter.hpp). Each tile leaves its own numbers in the workspace, in a slot of its own, and takes a ticket;
// who finds that all others have been there adds up the slots, in the order of the tiles
// (docs/design/vectors-and-reductions.md).
//
// Tiles whose numbers belong to the same elements of v are a group: they are alike in the modes by which v is told
// apart, and the modes that v lacks count them. Tickets belong to a warp, which adds up the same elements in all tiles
// of a group.
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
}  // namespace sectile
