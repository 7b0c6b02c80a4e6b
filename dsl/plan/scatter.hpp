// Scattered outputs: matrices whose rows are sums of rows that are stored, by an index in device memory
// (scattered_output() in program/declaration.hpp).
//
// It is what sums of tiles in order do (ordered_sums.hpp), with a row for a number: groups are rows of the output, for
// each tile of columns, and their slots are counted by the index. A warp leaves its own 16 rows of each block of 64,
// rounded to the output's type, takes their tickets, and adds up those that are complete
// (docs/design/groups-and-gathers.md).
#pragma once
#include <sectile/dsl/plan/epilogue.hpp>
#include <sectile/dsl/plan/gather.hpp>

namespace sectile {

/// What the declaration and the configuration have to be.
constexpr violation check_scatter(const plan& p, int o) {
  if (const violation v = check_index(p, o); !v.holds()) return v;
  const operand_facts& f = p.operand[o].facts;
  const operand_facts& names = p.operand[find_index(p, o)].facts;
  violation v{.what = rule::operand_is_used_in_another_way};
  v << "operand " << f.name << ": ";
  if (names.tile.rank + 1 != f.tile.rank) {
    v << "its rows are named by " << names << ", which lacks a mode of them; declare vector_input<\"";
    return spell(v, f.index, f, f.tile.rank - 1) << "\", s32>()";
  }
  if (f.type != element_of<bf16>() && f.type != element_of<f16>() && f.type != element_of<float>())
    return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name, ": scattered_output() adds rows of bf16, ",
                  "f16 or float, not ", f.type.name);
  for (int other = 0; other < p.operands; ++other)
    if (other != o && p.operand[other].facts.kind == operand_kind::output)
      return v << "a kernel that scatters rows stores no other matrix; give " << p.operand[other].facts.name
               << " a kernel of its own";
  v.what = rule::configuration_does_not_fit_the_program;
  if (p.how.swap)
    return v
           << ".swap = true leaves its columns in the rows of registers, and a warp scatters whole rows; leave it out";
  return {};
}
constexpr violation check_scatters(const plan& p) {
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.is_scattered())
      if (const violation v = check_scatter(p, o); !v.holds()) return v;
  return {};
}
/// And what the body takes for its work.
constexpr violation check_scattered_work(const plan& p) {
  const operand_facts& f = p.operand[p.work].facts;
  if (!f.is_scattered() || !p.whole_rows) return {};
  return refuse(rule::operand_is_used_in_another_way, "operand ", f.name,
                " is scattered, and stored as a whole row of ", "tiles; take tile_of(", f.name,
                "), and store once behind the loops");
}

/// Pieces of 16 bytes that a warp has of its rows of one panel.
constexpr int pieces_of_a_warp(const epilogue_plan& e) { return 16 * e.row_bytes / gathered_piece; }

}  // namespace sectile
