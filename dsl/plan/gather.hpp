// Gathered operands: matrices whose rows are picked by an index in device memory (gathered_input() in
// program/declaration.hpp). TMA has no copy for them, so the producer is a whole warpgroup, whose lanes copy pieces of
// 16 bytes by cp.async to where a box would have put them, and have the full barrier told when they are there.
// Consumers put a fence.proxy.async behind their wait for it (docs/design/groups-and-gathers.md).
#pragma once
#include <sectile/dsl/plan/plan.hpp>

namespace sectile {

inline constexpr int gather_lanes = 32;    // of a warp, each of which copies
inline constexpr int gathered_piece = 16;  // bytes at once
inline constexpr int most_gather_warps = warpgroup / gather_lanes;

/// How the lanes go over one panel of a gathered tile, which is one swizzle span wide: neighbours along a row, then
/// rows.
constexpr int pieces_of_a_row(swizzle_mode swizzle) { return span_bytes(swizzle) / gathered_piece; }
constexpr int rows_at_once(swizzle_mode swizzle) { return gather_lanes / pieces_of_a_row(swizzle); }

/// Shares gathered rows out among at most so many warps of the producer: each has as many of every operand's tile.
constexpr void share_gathers(plan& p, int most) {
  p.gather_warps = 0;
  for (int r = 0; r < p.rings; ++r) p.ring[r].full_arrivals = 1;
  for (int o = 0; o < p.operands; ++o) {
    if (!p.operand[o].facts.is_gathered()) continue;
    while (p.operand[o].facts.rows() % (most * rows_at_once(p.operand[o].swizzle)) != 0) most /= 2;
    p.gather_warps = most;
  }
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.is_gathered()) p.ring[p.operand[o].ring].full_arrivals += gather_lanes * p.gather_warps;
}
/// Threads of the producer: one, or as many as copy.
constexpr int producer_threads(const plan_head& p) { return p.gather_warps > 0 ? gather_lanes * p.gather_warps : 1; }

/// Whether they meet, behind the number of a work item that each of them reads.
constexpr bool producers_meet(const plan_head& p) { return p.gather_warps > 0 && p.how.dynamic; }

/// The operand that says where the rows of operand `o` are, by its number; -1: they lie as the body has them.
constexpr int find_index(const plan& p, int o) {
  return find_index(p.operand[o].facts, p.operands, [&](int i) -> const operand_facts& { return p.operand[i].facts; });
}
/// Whether an operand is there to say where the rows of another one are.
constexpr bool picks_rows(const plan& p, int index) {
  for (int o = 0; o < p.operands; ++o)
    if (find_index(p, o) == index) return true;
  return false;
}

/// Whether it names the rows that are stored.
constexpr bool names_rows(const plan& p, int index) {
  return find_index(p, p.work) == index && p.operand[p.work].facts.is_scattered();
}

/// Whether products see behind a fence what threads have copied to stages of the ring. (Ordinary loads need none.)
constexpr bool shows_copies(const plan& p, int ring) { return p.ring[ring].copied_bytes > 0 && p.products.count > 0; }

/// Whether so many modes of an index are some of those of its rows, in their order, and the last one counts the rows.
constexpr bool fits_rows(const operand_facts& index, const operand_facts& f) {
  int next = 0;
  for (int d = 0; d + 1 < f.tile.rank; ++d) next += place_in_index(f, index, d) == next;
  return next == index.tile.rank && place_in_index(f, index, f.tile.rank - 2) == next - 1;
}
/// The index is a vector of whole numbers with some of the operand's modes, but not the last, along which rows are
/// whole.
constexpr violation check_index(const plan& p, int o) {
  const operand_facts& f = p.operand[o].facts;
  violation v{.what = rule::operand_is_used_in_another_way};
  v << "operand " << f.name << ": its rows are " << (f.is_scattered() ? "named" : "picked") << " by " << f.index;
  const char* const word = f.tile.rank == 2 ? "input" : "vector_input";
  const auto declare = [&]() -> violation& {
    v << "declare " << word << "<\"";
    return spell(v, f.index, f, f.tile.rank - 1) << "\", s32>()";  // token(E,T), which picks the rows of X(E,T,K)
  };
  if (f.tile.rank < 2)
    return v << ", but it is no matrix; "
             << (f.is_scattered() ? "scattered_output<\"Y(T,N)\", ..>() has rows to name"
                                  : "gathered_input<\"X(T,K)\", ..>() has rows to pick");
  const int index = find_index(p, o);
  if (index < 0) return v << ", which is no operand; ", declare();
  const operand_facts& numbers = p.operand[index].facts;
  if (numbers.kind != operand_kind::vector) return v << ", which is no vector; ", declare();
  if (numbers.type != element_of<s32>()) return v << ", a vector of " << numbers.type.name << "; ", declare();
  for (const int neighbours : numbers.block)
    if (neighbours > 1) return v << ", which has a number for each " << neighbours << " of them; ", declare();
  if (!fits_rows(numbers, f))
    return v << ", whose modes are not those of " << f.name << " but the last, along which a row is whole; ", declare();
  if (numbers.path == with_tiles)
    return v << ", which the " << (f.is_scattered() ? "consumers read themselves" : "producer reads itself")
             << "; leave out with_tiles";
  return {};
}
/// What the copies of the lanes need.
constexpr violation check_gather(const plan& p, int o) {
  if (const violation v = check_index(p, o); !v.holds()) return v;
  const operand_facts& f = p.operand[o].facts;
  if (f.type.bits < 8)
    return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name,
                  ": gathered_input() takes elements of 8 bits or more, not ", f.type.name);
  const int rows = rows_at_once(p.operand[o].swizzle);
  if (f.rows() % rows != 0)
    return refuse(rule::configuration_does_not_fit_the_program, "operand ", f.name, ": tile ",
                  f.mode_name[f.tile.rank - 2], " = ", f.rows(), " rows of ", span_bytes(p.operand[o].swizzle),
                  " bytes, of which a warp copies ", rows, " at a time; use ", round_up(f.rows(), rows),
                  ", or longer rows");
  return {};
}
constexpr violation check_gathers(const plan& p) {
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.is_gathered())
      if (const violation v = check_gather(p, o); !v.holds()) return v;
  return {};
}

/// An index is walked over as its rows are.
constexpr void mark_index_steps(plan& p) {
  for (int o = 0; o < p.operands; ++o) {
    if (!p.operand[o].facts.has_index()) continue;
    operand_plan& index = p.operand[find_index(p, o)];
    for (int d = 0; d < p.operand[o].facts.tile.rank; ++d) {
      const int i = place_in_index(p.operand[o].facts, index.facts, d);
      if (i < 0) continue;
      index.stepped[i] = index.stepped[i] || p.operand[o].stepped[d];
      index.last[i] = p.operand[o].last[d] > index.last[i] ? p.operand[o].last[d] : index.last[i];
    }
  }
}

}  // namespace sectile
