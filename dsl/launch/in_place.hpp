// Which inputs a program may be given as its output, too.
//
// As a rule an output needs memory of its own: a tile is stored while other tiles still load their inputs. Harmless is
// an input of which each run of the body reads the very tile that it stores, and nothing else: a residual that is added
// to, or the queries of attention. Its tile has landed in shared memory before the body's result exists.
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile {

/// Whether all loads of operand `o` in a run are of the tile that the run stores.
constexpr bool loads_stored_tile(const trace& t, int o) {
  const event* store = nullptr;
  for (int i = 0; i < t.events; ++i)
    if (t.at[i].kind == event_kind::store) store = &t.at[i];
  if (!store) return false;
  bool same = true;
  for (int i = 0; i < t.events; ++i) {
    if (t.at[i].kind != event_kind::load || t.at[i].operand != o) continue;
    for (int d = 0; d < max_rank; ++d) same = same && t.at[i].coordinate[d] == store->coordinate[d];
  }
  return same;
}

/// Bit o: input o may be the output's own tensor. It has the output's type, tiles and modes, and in runs for several
/// tiles only the tile that is stored is loaded.
template <class K>
consteval unsigned in_place_inputs() {
  constexpr operand_table table = operand_table_of<K>();
  int out = 0;
  while (table.at[out].kind != operand_kind::output) ++out;
  unsigned candidates = 0;
  for (int o = 0; o < table.count; ++o) {
    const operand_facts &f = table.at[o], &g = table.at[out];
    bool same =
        f.kind == operand_kind::input && !f.sparse && f.type == g.type && f.tile == g.tile && f.order == g.order;
    for (int d = 0; d < max_rank && same; ++d)
      same = same && f.mode_at(d) == g.mode_at(d);
    if (same) candidates |= 1u << o;
  }
  if (candidates == 0) return 0;
  const planner<K> base = trace_body<K>({});
  known_loops known{base.loops, {}};
  for (int i = 0; i < max_positions; ++i) known.end[i] = base.loop_end[i];
  for (const scenario& s : {scenario{5, 1, 2}, scenario{5, 3, 1}, scenario{5}}) {
    const trace t = trace_body<K>(s, known).log;
    for (int o = 0; o < table.count; ++o)
      if ((candidates >> o & 1) && !loads_stored_tile(t, o)) candidates &= ~(1u << o);
  }
  return candidates;
}

}  // namespace sectile
