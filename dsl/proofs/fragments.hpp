// Proof 6, fragments: registers hold what the instructions take them for, and the panels of each epilogue make its
// output.
#pragma once
#include <sectile/dsl/plan/build.hpp>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/operand_exchange.hpp>

namespace sectile {

/// The accumulator of a product is a bijection of registers and elements; an operand in registers is one, too, and what
/// makes it (a cast accumulator, with exchanges between lanes where types have other widths) puts each element where
/// the instruction wants it.
constexpr violation check_product_fragments(const product_plan& q) {
  const wgmma_instruction& w = q.instruction;
  if (!(w.d.bits == 16 ? d16_is_bijection(w.n) : d_is_bijection(w.n)))
    return refuse(rule::fragments_do_not_line_up, "an accumulator of 64 x ", w.n, " ", w.d.name,
                  " does not hold every element once");
  if (!w.a_in_registers) return {};
  const int bits = w.a.bits, cols = q.k_steps * w.k;
  if (!a_is_bijection(bits))
    return refuse(rule::fragments_do_not_line_up, "an operand of 64 x ", w.k, " ", w.a.name,
                  " in registers does not hold every element once");
  if (cols != q.b.k)
    return refuse(rule::fragments_do_not_line_up, "a fragment of ", cols, " columns of ", w.a.name, " meets a tile of ",
                  q.b.k, " rows: columns would be left out or read twice");
  const bool made = bits == 16 ? accumulator_feeds_operand(a_columns(16)) : bits == 1 || exchange_makes_operand(bits);
  if (!made)
    return refuse(rule::fragments_do_not_line_up, "an accumulator that is cast to ", w.a.name,
                  " does not become the left operand of a product");
  return {};
}

/// A tile that is brought into registers arrives as operand A, or where sums lie: there, each word is asked for by the
/// element's place, two at once where they are neighbours in memory.
constexpr violation check_read_fragment(const plan& p, const fragment_read& r) {
  const operand_facts& f = p.operand[r.operand].facts;
  if (r.as_sums && f.type.bits == 32 && d_lies_in_pairs(r.tile.k)) return {};
  const int of_block = r.tile.k * f.type.bits / 64, blocks = r.tile.mn / (64 * p.how.sharers());
  if (ldmatrix_loads_operand(f.type.bits, r.tile.major == major::mn) && reads_follow_registers(of_block, blocks))
    return {};
  return refuse(rule::fragments_do_not_line_up, "operand ", f.name, ": ldmatrix does not bring ", f.type.name,
                " where wgmma wants its left operand");
}

/// The panels of all consumers cover an output's tile, each part of it once.
constexpr violation check_panels(const plan& p, const epilogue_plan& e) {
  const operand_facts& out = p.operand[e.operand].facts;
  constexpr int most = 1024;
  int stored[most]{};  // how often, by part
  const matrix_extent tile = extent_of(out);
  const int across = tile.cols / e.panel_cols, parts = tile.rows / e.panel_rows * across;
  if (parts > most || e.batch < 1 || e.buffers % e.batch || tile.cols % e.panel_cols || tile.rows % e.panel_rows)
    return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": ", e.batch, " of ", e.buffers,
                  " panels of ", e.panel_rows, " x ", e.panel_cols, " at a time do not make a tile of ", tile.rows,
                  " x ", tile.cols);
  for (int consumer = 0; consumer < p.how.sharers(); ++consumer)
    for (int n = 0; n < e.panels / e.batch * e.batch; ++n) {
      const coord share = share_origin(e.transposed, tile, p.how.sharers(), consumer);
      coord at = panel_origin(e.transposed, tile, panel_extent(e), n);
      at = {at.row + share.row, at.col + share.col};
      if (at.row + e.panel_rows > tile.rows || at.row % e.panel_rows || at.col + e.panel_cols > tile.cols)
        return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": panel ", n, " of consumer ",
                      consumer, " begins at row ", at.row, ", column ", at.col, " and reaches out of the tile of ",
                      tile.rows, " x ", tile.cols);
      ++stored[at.row / e.panel_rows * across + at.col / e.panel_cols];
    }
  for (int part = 0; part < parts; ++part)
    if (stored[part] != 1)
      return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": rows ",
                    part / across * e.panel_rows, " to ", part / across * e.panel_rows + e.panel_rows - 1, ", columns ",
                    part % across * e.panel_cols, " to ", part % across * e.panel_cols + e.panel_cols - 1,
                    " are stored ", stored[part], " times by the epilogue");
  return {};
}

/// Within a panel: where the epilogue puts 16 bytes is where TMA takes them. (Eight rows: there the pattern repeats.
/// What the lanes put there is proven of the lowered epilogue, see epilogue.hpp.)
constexpr violation check_panel_stores(const plan& p, const epilogue_plan& e) {
  const operand_facts& out = p.operand[e.operand].facts;
  const tma_box box = box_of(out, e.swizzle, e.panel_cols, e.panel_rows);
  for (int row = 0; row < 8; ++row)
    for (int col = 0; col < e.panel_cols; col += 128 / out.type.bits) {
      const int to = panel_offset(e.swizzle, e.row_bytes, out.type.bits, row, col), from = smem_offset(box, col, row);
      if (to != from)
        return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": row ", row, ", column ", col,
                      " of a panel is written to byte ", to, ", TMA stores it from byte ", from);
    }
  return {};
}

constexpr violation check_fragments(const plan& p) {
  for (int i = 0; i < p.products.count; ++i)
    if (const violation v = check_product_fragments(p.products.at[i]); !v.holds()) return v;
  for (int i = 0; i < p.products.reads; ++i)
    if (const violation v = check_read_fragment(p, p.products.read[i]); !v.holds()) return v;
  for (int n = 0; n < p.epilogues; ++n) {
    if (const violation v = check_panels(p, p.epilogue[n]); !v.holds()) return v;
    if (const violation v = check_panel_stores(p, p.epilogue[n]); !v.holds()) return v;
  }
  return {};
}

}  // namespace sectile
