// Vectors that a program writes: each once, and where.
//
// The tiles of the grid cover the output, each once. A vector has some of its modes, so its elements belong to the
// tiles that are alike in these: where that is several, they are combined, or there is but one tile along the modes
// that the vector lacks (a launch checks that), or the vector has a mode more that counts tiles. Such a mode has a name
// of its own; which of the work's modes it counts is found out by reading the body for tiles whose coordinates all
// differ.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/plan/trace.hpp>

namespace sectile {

/// The mode of the work that mode `d` of a vector is, -1 if it is none of them.
constexpr int mode_of_work(const operand_facts& work, const operand_facts& vector, int d) {
  return work.position_of(vector.mode_at(d));
}
/// Whether a vector has mode `w` of the work.
constexpr bool has_mode_of_work(const operand_facts& work, const operand_facts& vector, int w) {
  for (int d = 0; d < vector.tile.rank; ++d)
    if (mode_of_work(work, vector, d) == w) return true;
  return false;
}
/// The mode of the work of which mode `d` of a vector counts tiles, -1: none.
constexpr int counted_mode(const operand_plan& vector, int d) {
  for (int w = 0; w < max_rank; ++w)
    if (vector.counted[d] >> w & 1) return w;
  return -1;
}
/// Whether the vector's elements are told apart along mode `w` of the work.
constexpr bool tells_apart(const operand_facts& work, const operand_plan& vector, int w) {
  bool apart = has_mode_of_work(work, vector.facts, w);
  for (int d = 0; d < vector.facts.tile.rank; ++d) apart = apart || counted_mode(vector, d) == w;
  return apart;
}

/// Whether numbers of whole rows are stored to vector `o` that several CTAs know: the first of them does it.
constexpr bool is_known_to_sharers(const plan& p, int o) {
  const operand_facts& work = p.operand[p.work].facts;
  return p.row_sharers() > 1 && p.operand[o].combined == reduction::none &&
         !tells_apart(work, p.operand[o], work.tile.rank - 1);
}

/// Before the first run: a mode that is none of the work's may count the tiles of any that the vector lacks.
constexpr void begin_vector_outputs(plan& p, const trace& t) {
  const operand_facts& work = p.operand[p.work].facts;
  for (int o = 0; o < p.operands; ++o) {
    operand_plan& op = p.operand[o];
    if (op.facts.kind != operand_kind::vector_output) continue;
    op.combined = t.written[o].how;
    for (int d = 0; d < op.facts.tile.rank; ++d)
      for (int w = 0; w < work.tile.rank && mode_of_work(work, op.facts, d) < 0; ++w)
        if (!has_mode_of_work(work, op.facts, w)) op.counted[d] = static_cast<std::uint8_t>(op.counted[d] | 1 << w);
  }
}
/// Modes of the work of which a run leaves open whether mode `d` of vector `o` counts their tiles.
constexpr std::uint8_t counted_in(const plan& p, const trace& t, int o, int d) {
  std::uint8_t still = 0;
  for (int w = 0; w < max_rank; ++w)
    if ((p.operand[o].counted[d] >> w & 1) && t.written[o].coordinate[d] == t.tile[w])
      still = static_cast<std::uint8_t>(still | 1 << w);
  return still;
}
/// What a run with several tiles leaves of that. Precondition: check_vector_writes() holds of it.
constexpr void mark_vector_outputs(const trace& t, plan& p) {
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < p.operand[o].facts.tile.rank; ++d)
      if (p.operand[o].counted[d] != 0) p.operand[o].counted[d] = counted_in(p, t, o, d);
}

constexpr violation check_reduction_named(const operand_facts& f, bool named) {
  if (named) return {};
  return refuse(rule::operand_is_used_in_another_way, "combine into ", f.name, " without a reduction: sm.combine(",
                f.name, ", {..}, x, reduction::max), or min, add or add_in_any_order");
}
/// Why vector `f` is not written as `w` says, wherever that is.
constexpr violation check_vector_write(const operand_facts& f, const vector_write& w) {
  if (w.times == 0)
    return refuse(rule::program_is_not_traceable, "operand ", f.name,
                  " is an output that the body never writes; store() or combine() it, or take it out of the operands");
  if (w.in_loop)
    return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name,
                  " is written inside a loop; reduce what the trips have, and write once behind the loop");
  if (w.times > 1)
    return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, " is written ", static_cast<int>(w.times),
                  " times by the work of one tile; write each vector once");
  if (w.added_again > 1)
    return refuse(rule::operand_is_used_in_another_way, "combine into ", f.name,
                  ": what is added is one number that all ", w.added_again,
                  " rows have, as col_sum() of rows' numbers leaves it: it would be added ", w.added_again,
                  " times; combine rows' own numbers, as row_sum(x), or x");
  return check_reduction_named(f, !w.combines || w.how != reduction::none);
}
/// Each vector is written once, outside of loops, at its part of the tile that tile_of() names.
constexpr violation check_vector_writes(const plan& p, const trace& t) {
  const operand_facts& work = p.operand[p.work].facts;
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.kind != operand_kind::vector_output) continue;
    const vector_write& w = t.written[o];
    if (const violation v = check_vector_write(f, w); !v.holds()) return v;
    for (int d = 0; d < f.tile.rank; ++d) {
      const int own = mode_of_work(work, f, d);
      if (own >= 0 && w.coordinate[d] != t.tile[own])
        return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, " is written at tile ", w.coordinate[d],
                      " of mode ", f.mode_name[d], " by the work of tile ", t.tile[own],
                      "; write at the coordinates of tile_of(", work.name, ")");
      if (own < 0 && counted_in(p, t, o, d) == 0)
        return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, ": mode ", f.mode_name[d], " is none of ",
                      work.name, "'s, so it counts tiles along one that ", f.name, " lacks: as<\"", f.mode_name[d],
                      "\">(n), n a coordinate of tile_of(", work.name, "), not ", w.coordinate[d]);
      if (p.operand[o].made >> d & 1)
        return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, " is written at a number along ",
                      f.mode_name[d], " that is made of the work's coordinates, and may be another tile's; write at ",
                      "the coordinates of tile_of(", work.name, ")");
    }
  }
  return {};
}

/// Whether a kernel combines into some vector.
constexpr bool combines(const plan& p) {
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].combined != reduction::none) return true;
  return false;
}
/// Whether some sum of a kernel is added up in an order that is open.
constexpr bool adds_in_any_order(const plan& p) {
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].combined == reduction::add_in_any_order) return true;
  return false;
}

}  // namespace sectile
