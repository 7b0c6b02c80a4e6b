#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/draw/tile_subject.hpp>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/tile_places.hpp>

namespace sectile::tell {
namespace {

std::string metadata_text(const plan& p, int operand) {
  const operand_plan& op = p.operand[operand];
  const metadata_plan& m = op.metadata;
  if (m.bytes == 0) return "";
  return say("The metadata follows ", m.stage_offset - op.stage_offset,
             " bytes behind the tile's first: ", m.row_blocks * m.k_blocks, " blocks of ", metadata_block_bytes,
             " bytes, a word for each thread, for 64 rows and ", metadata_k(op.facts.type.bits),
             " columns of the whole matrix each.");
}

}  // namespace

bool is_drawn(const plan& p, int operand) {
  return operand >= 0 && operand < p.operands && p.operand[operand].facts.kind == operand_kind::input &&
         use_of(p, operand).is_input();
}

tile_subject subject_of(const plan& p, int operand) {
  const operand_facts& f = p.operand[operand].facts;
  const operand_use use = use_of(p, operand);
  tile_subject s{.tile = use.tile, .name = f.name, .type = f.type.name, .rows = use.is_a ? 'm' : 'n'};
  if (use.is_addend()) {
    s.mn_step = wgmma_rows;
    s.k_step = a_columns(f.type.bits);
  } else {
    const wgmma_instruction& w = p.products.at[use.product].instruction;
    s.mn_step = use.is_a ? wgmma_rows : w.n;
    s.k_step = use.is_a ? stored_k(w) : w.k;
  }
  s.base = static_cast<unsigned>(tile_offset(p, operand));
  s.sparse = f.sparse;
  s.to_registers = use.to_registers;
  s.metadata = metadata_text(p, operand);
  return s;
}

tile_subject subject_of(const operand_tile& tile, const std::string& type, char rows) {
  tile_subject s{.tile = tile, .name = rows == 'm' ? "A" : "B", .type = type, .rows = rows};
  if (const tile_violation v = check(tile); !v.ok()) throw layout_error("there is no such tile: ", v);
  const coord step = operand_a_step(tile);
  s.mn_step = rows == 'm' ? step.row : tile.mn;
  s.k_step = step.col;
  if (const tile_violation v = check(tile, s.mn_step, s.k_step); !v.ok())
    throw layout_error("there is no such tile: ", v);
  return s;
}

std::string title_of(const tile_subject& s) {
  return say(s.name, ": ", s.tile.mn, " x ", s.tile.k, s.sparse ? " stored " : " ", s.type, ", ",
             major_text(s.tile.major), ", ", swizzle_text(s.tile.swizzle));
}

std::vector<tile_unit> units_in_memory(const operand_tile& t) {
  const int unit = core_matrix_row_elements(t.element_bits);
  const tile_writer written(t);
  std::vector<tile_unit> units(static_cast<std::size_t>(bytes(t) / core_matrix_row_bytes));
  for (int across = 0; across < panel_rows(t); ++across)
    for (int along = 0; along < contiguous_extent(t); along += unit) {
      const tile_unit u = t.major == major::k ? tile_unit{across, along} : tile_unit{along, across};
      units[written(u.mn, u.k) / core_matrix_row_bytes] = u;
    }
  return units;
}

int place_along(const operand_tile& t, tile_unit u) {
  return (t.major == major::k ? u.k : u.mn) / core_matrix_row_elements(t.element_bits);
}

std::string unit_text(const tile_subject& s, tile_unit u) {
  const std::string mn = say(std::string(1, s.rows), u.mn), k = say("k", u.k);
  return s.tile.major == major::k ? mn + " " + k : k + " " + mn;
}

}  // namespace sectile::tell
