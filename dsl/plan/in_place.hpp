// Which inputs a program may be given as an output, too.
//
// As a rule an output needs memory of its own: a tile is stored while other tiles still load their inputs. Harmless is
// an input of which each run of the body reads the very tile that it stores, and nothing else: a residual that is added
// to, or the queries of attention. Its tile has landed in shared memory before the body stores anything.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/plan/trace.hpp>

namespace sectile {

/// Whether an input has an output's type, tiles and modes.
constexpr bool is_laid_out_like(const operand_facts& in, const operand_facts& out) {
  bool same = in.kind == operand_kind::input && out.kind == operand_kind::output && !in.sparse && !in.has_index() &&
              !out.has_index() && !out.of_trips && in.type == out.type && in.tile == out.tile && in.order == out.order;
  for (int d = 0; d < max_rank && same; ++d) same = in.mode_at(d) == out.mode_at(d);
  return same;
}

/// Whether all loads of operand `o` in a run are of the tile that the run stores, to whichever output.
constexpr bool loads_stored_tile(const trace& t, int o) {
  const event* store = nullptr;
  for (const event& e : t)
    if (e.kind == event_kind::store) store = &e;
  if (!store) return false;
  bool same = true;
  for (const event& e : t) {
    if (e.kind != event_kind::load || e.operand != o) continue;
    for (int d = 0; d < max_rank; ++d) same = same && e.coordinate[d] == store->coordinate[d];
  }
  return same;
}

/// Before the first run: what the declarations allow. Where loops are split, every part of a tile loads what stands
/// behind them, and one stores: it does not wait for loads whose tiles the others will not use.
constexpr void begin_in_place(plan& p) {
  if (p.splits()) return;
  for (int o = 0; o < p.operands; ++o)
    for (int out = 0; out < p.operands; ++out)
      if (is_laid_out_like(p.operand[o].facts, p.operand[out].facts)) p.operand[o].in_place = true;
}
/// What a run with several tiles leaves of that.
constexpr void mark_in_place(const trace& t, plan& p) {
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].in_place) p.operand[o].in_place = p.operand[o].made == 0 && loads_stored_tile(t, o);
}

}  // namespace sectile
