// Vectors that count tiles: a mode that no matrix has, loaded as<"KB">(k), has one element for each tile along K. So
// its size follows from another one, and a launch finds scales of another granularity.
//
// Which mode's tiles it counts is found out by reading the body: in all runs and trips its coordinate is the one that
// all tiles of the trip have along that mode; where none has it, that of the work's tile.
#pragma once
#include <sectile/dsl/plan/vector_outputs.hpp>

namespace sectile {

/// Where a matrix has mode `m`: its size there is the problem's. Operand -1: none has it.
struct mode_place {
  int operand = -1, mode = -1;
};
constexpr mode_place place_in_matrices(const plan& p, mode_id m) {
  for (int o = 0; o < p.operands; ++o)
    if (const int d = p.operand[o].facts.position_of(m); d >= 0 && p.operand[o].facts.is_tiled()) return {o, d};
  return {};
}

/// The mode whose tiles a vector's mode counts, the elements of such a tile, and a matrix that has the mode; `any`: it
/// counts none.
struct counted_tiles {
  mode_id along = mode_id::any;
  int extent = 0;
  mode_place of{};

  /// Of them, and so of the vector's elements, where the matrix has `size` along its mode.
  constexpr std::int64_t count(std::int64_t size) const { return (size + extent - 1) / extent; }
};
/// Of mode `d` of operand `o`, which may be written as well.
constexpr counted_tiles tiles_counted(const plan& p, int o, int d) {
  const operand_facts& work = p.operand[p.work].facts;
  if (const int w = counted_mode(p.operand[o], d); w >= 0) return {work.mode_at(w), work.tile.extent[w], {p.work, w}};
  for (int i = 0; i < max_tiled_modes; ++i)
    if (const mode_id m = p.how.tile[i].along.name; p.operand[o].paced[d] >> i & 1)
      return {m, p.how.tile[i].elements, place_in_matrices(p, m)};
  return {};
}

/// Before the first run: a mode that no matrix has may count the tiles along any.
constexpr void begin_counting(plan& p) {
  for (int o = 0; o < p.operands; ++o) {
    operand_plan& op = p.operand[o];
    if (op.facts.kind != operand_kind::vector) continue;
    for (int d = 0; d < op.facts.tile.rank; ++d)
      for (int i = 0; i < max_tiled_modes && place_in_matrices(p, op.facts.mode_at(d)).operand < 0; ++i)
        if (place_in_matrices(p, p.how.tile[i].along.name).operand >= 0)
          op.paced[d] = static_cast<std::uint8_t>(op.paced[d] | 1 << i);
  }
}
/// Whether the tiles that a trip loads have coordinate `at` along mode `m`, all that have this mode; if none has, the
/// tile of the work.
constexpr bool all_are_at(const plan& p, const trace& t, int trip, mode_id m, int at) {
  bool some = false;
  for (const event& e : t) {
    if (e.kind != event_kind::load || e.trip != trip || !p.operand[e.operand].facts.is_tiled()) continue;
    for (int d = 0; d < p.operand[e.operand].facts.tile.rank; ++d)
      if (p.operand[e.operand].facts.mode_at(d) == m) {
        if (e.coordinate[d] != at) return false;
        some = true;
      }
  }
  const operand_facts& work = p.operand[p.work].facts;
  for (int d = 0; d < work.tile.rank - p.whole_rows && !some; ++d)
    if (work.mode_at(d) == m) return t.tile[d] == at;
  return some;
}
/// What a run with several tiles leaves of that.
constexpr void mark_counting(const trace& t, plan& p) {
  const auto mark = [&](int operand, int trip, const std::int32_t* coordinate) {
    operand_plan& op = p.operand[operand];
    for (int d = 0; d < op.facts.tile.rank; ++d)
      for (int i = 0; i < max_tiled_modes && op.paced[d] != 0; ++i)
        if (!all_are_at(p, t, trip, p.how.tile[i].along.name, coordinate[d]))
          op.paced[d] = static_cast<std::uint8_t>(op.paced[d] & ~(1 << i));
  };
  for (const event& e : t)
    if (e.kind == event_kind::load && p.operand[e.operand].facts.path == with_tiles)
      mark(e.operand, e.trip, e.coordinate);
  for (int n = 0; n < t.vector_reads && n < max_vector_reads; ++n)
    mark(t.vector_read[n].operand, t.vector_read[n].trip, t.vector_read[n].coordinate);
  for (int o = 0; o < p.operands && t.vector_reads > max_vector_reads; ++o)  // nothing is known of what was not kept
    for (int d = 0; d < max_rank && p.operand[o].facts.path == from_memory; ++d) p.operand[o].paced[d] = 0;
}
/// Behind the last run: what stays at the first tile counts none, and one mode counts the tiles along one.
constexpr violation check_counting(plan& p) {
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < max_rank; ++d)
      if (!p.operand[o].stepped[d]) p.operand[o].paced[d] = 0;
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < p.operand[o].facts.tile.rank; ++d)
      for (int other = 0; other < o && p.operand[o].paced[d] != 0; ++other) {
        const operand_facts &f = p.operand[o].facts, &g = p.operand[other].facts;
        const int same = g.position_of(f.mode_at(d));
        if (same < 0) continue;
        const mode_id here = tiles_counted(p, o, d).along, there = tiles_counted(p, other, same).along;
        if (here != there && here != mode_id::any && there != mode_id::any)
          return refuse(rule::program_is_not_traceable, "mode ", f.mode_name[d], " of ", g.name,
                        " counts tiles along ", text_of(there).text, ", that of ", f.name, " tiles along ",
                        text_of(here).text, "; is one of them loaded at another coordinate than was meant? What counts "
                        "other tiles has another name");
      }
  return {};
}

}  // namespace sectile
