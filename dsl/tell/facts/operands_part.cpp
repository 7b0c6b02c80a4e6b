// Each operand on its way: global memory, the boxes of TMA, the tile in shared memory, and the descriptor by which
// wgmma finds it.
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/operands_text.hpp>
#include <sectile/dsl/tell/ptx_text.hpp>
#include <sectile/dsl/tell/tile_placement.hpp>
#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/descriptor_fields.hpp>
#include <sectile/layouts/expression_value.hpp>

namespace sectile::tell {
namespace {

json extents(const int* from, int count) {
  json all = json::array();
  for (int i = 0; i < count; ++i) all.push_back(from[i]);
  return all;
}

json declaration(const operand_facts& f) {
  const char* kinds[] = {"input", "output", "scalar", "vector", "vector_output"};
  json j{{"name", f.name},      {"kind", kinds[static_cast<int>(f.kind)]},
         {"type", f.type.name}, {"bits", f.type.bits},
         {"sparse", f.sparse},  {"im2col", f.im2col}};
  if (f.kind == operand_kind::scalar) return j;
  if (f.has_index()) j["index"] = f.index;
  json modes = json::array();
  for (int d = 0; d < f.tile.rank; ++d) modes.push_back(f.mode_name[d]);
  j["modes"] = modes;
  j["tile"] = extents(f.tile.extent, f.tile.rank);
  if (!f.is_tiled()) return j;
  j["order"] = f.order == row_major ? "row_major" : "col_major";
  j["rows"] = f.rows();
  j["cols"] = f.cols();
  j["stored_cols"] = f.stored_cols();
  j["tile_bytes"] = stage_bytes_of(f);
  j["contiguous"] = f.mode_name[f.mode_from_inside(0)];
  return j;
}

json swizzle_facts(swizzle_mode mode) {
  const swizzle s = byte_swizzle(mode);
  return {{"name", swizzle_text(mode)},
          {"bytes", mode == swizzle_mode::none ? 0 : span_bytes(mode)},
          {"span_bytes", span_bytes(mode)},
          {"bits", s.bits},
          {"base", s.base},
          {"shift", s.shift},
          {"pattern_bytes", pattern_bytes(mode)},
          {"notation", to_string(s)}};
}

/// How the tensor lies in global memory, as the tensor map describes it: modes from the innermost.
json global_facts(const plan& p, int o) {
  const operand_plan& op = p.operand[o];
  const operand_facts& f = op.facts;
  json inside_out = json::array(), stepped = json::array();
  for (int i = 0; i < f.tile.rank; ++i) inside_out.push_back(f.mode_name[f.mode_from_inside(i)]);
  for (int d = 0; d < f.tile.rank; ++d)
    if (op.stepped[d]) stepped.push_back(f.mode_name[d]);
  const std::string more =
      f.is_gathered() ? say(". It is a matrix of any number of rows, of which ", f.index, " picks some")
      : f.is_scattered()
          ? say(". It is a matrix each of whose rows is the sum of as many stored ones, which ", f.index, " names")
      : f.of_trips ? std::string(". The trips of a loop store its tiles; what none stores stays as it is")
      : position_of_cut(p, o) >= 0 ? ". " + groups_text(p, p.cuts.by[o])
      : f.im2col                   ? ". " + image_text(f)
                                   : "";
  return {{"modes", inside_out},
          {"order", f.order == row_major ? "row_major" : "col_major"},
          {"stepped", stepped},
          {"rank", dimensions_of_map(p, o)},
          {"stored", f.sparse ? "half" : "all"},
          {"says", say(f.mode_name[f.mode_from_inside(0)], " is contiguous; strides of the other modes",
                       f.im2col ? " of images" : "", " are multiples of 16 bytes", more)}};
}

json box_facts(const tma_box& b, int number) {
  return {{"extent", extents(b.extent, b.rank)}, {"count", number}, {"bytes", bytes(b)},
          {"element_bits", b.element_bits},      {"rank", b.rank},  {"swizzle", swizzle_text(b.swizzle)},
          {"says", boxes_text(number, b)}};
}

/// The 64 bits of the first instruction's descriptor in stage 0, and how far the others are from it.
json descriptor_facts(const plan& p, int o, const operand_use& use) {
  const product_plan& q = p.products.at[use.product];
  const operand_tile& t = use.tile;
  const int k_extent = use.is_a ? stored_k(q.instruction) : q.instruction.k;
  matrix_descriptor d = descriptor_at(t, 0, 0);
  const unsigned first = d.start_bytes;
  d.start_bytes += static_cast<unsigned>(tile_offset(p, o));
  json steps = json::array(), fields = json::array(), reserved = json::array();
  for (int k = 0; k < q.k_steps; ++k) steps.push_back(descriptor_at(t, 0, k * k_extent).start_bytes - first);
  for (const descriptor_field& f : descriptor_fields(encode(d), t))
    fields.push_back({{"name", f.name},
                      {"first_bit", f.first_bit},
                      {"last_bit", f.last_bit},
                      {"value", f.value},
                      {"bytes", f.bytes < 0 ? json() : json(f.bytes)},
                      {"meaning", f.meaning}});
  json j{{"hex", hexadecimal(encode(d), 16)},
         {"start", d.start_bytes},
         {"lbo", d.leading_bytes},
         {"lbo_counts", leading_counts(t.major, t.swizzle)},
         {"sbo", d.stride_bytes},
         {"base_offset", d.base_offset},
         {"k_steps", steps},
         {"k_step_bytes", q.k_steps > 1 ? steps[1] : json()},
         {"fields", fields},
         {"reserved", hexadecimal(descriptor_reserved_bits, 16)}};
  j["block_bytes"] =
      use.is_a && q.m_blocks * p.how.sharers() > 1 ? json(descriptor_at(t, wgmma_rows, 0).start_bytes - first) : json();
  return j;
}

json metadata_facts(const plan& p, const operand_plan& op) {
  const metadata_plan& m = op.metadata;
  return {{"bytes", m.bytes},
          {"offset", p.ring[op.ring].offset + m.stage_offset},
          {"row_blocks", m.row_blocks},
          {"k_blocks", m.k_blocks},
          {"block_bytes", metadata_block_bytes},
          {"columns_per_block", metadata_k(op.facts.type.bits)},
          {"selectors", metadata_selectors(op.facts.type.bits)},
          {"box", box_facts(m.box, m.k_blocks)}};
}

json multicast_facts(const operand_plan& op) {
  return {{"slices", op.slices},
          {"rows_share", !op.varies_with_row},
          {"cols_share", !op.varies_with_col},
          {"slice_lines", op.facts.strided() / op.slices},
          {"lines", op.facts.order == row_major ? "rows" : "columns"}};
}

/// The tile as an expression of the layout algebra: "tile(bf16, 128, 64, k, b128)".
std::string tile_expression(const element& type, const operand_tile& t) {
  return say("tile(", type.name, ", ", t.mn, ", ", t.k, ", ", expressions::to_text(t.major), ", ",
             expressions::mode_word(t.swizzle), ")");
}

void add_input(const plan& p, int o, json& j) {
  const operand_plan& op = p.operand[o];
  const operand_use use = use_of(p, o);
  const ring_plan& ring = p.ring[op.ring];
  const int boxes = op.panels * op.boxes_per_panel;
  j["role"] = use.is_addend() ? "addend" : use.is_a ? "A" : "B";
  j["to_registers"] = use.to_registers;
  j["major"] = use.tile.major == major::k ? "K" : "MN";
  j["layout"] = to_string(layout_of(use.tile));
  j["expression"] = tile_expression(op.facts.type, use.tile);
  j["swizzle"] = swizzle_facts(op.swizzle);
  j["core_matrix"] = {{"rows", core_matrix_rows},
                      {"bytes", core_matrix_bytes},
                      {"row_bytes", core_matrix_row_bytes},
                      {"row_elements", core_matrix_row_elements(use.tile.element_bits)},
                      {"count", bytes(use.tile) / core_matrix_bytes},
                      {"conflicts", tile_placement{use.tile}.worst()},
                      {"conflicts_without_swizzle",
                       op.swizzle == swizzle_mode::none ? json() : json(tile_placement{use.tile, false}.worst())}};
  j["panel"] = {{"count", op.panels},
                {"width", panel_width(use.tile)},
                {"rows", panel_rows(use.tile)},
                {"bytes", panel_bytes(use.tile)}};
  j["global"] = global_facts(p, o);
  j["box"] = box_facts(in_map(p, o, op.box), boxes);
  j["box"]["slices"] = op.slices;
  j["box"]["per_panel"] = op.boxes_per_panel;
  j["multicast"] = multicast_facts(op);
  j["descriptor"] = use.to_registers ? json() : descriptor_facts(p, o, use);
  j["metadata"] = op.metadata.bytes > 0 ? metadata_facts(p, op) : json();
  j["ring"] = op.ring;
  j["stages"] = ring.stages;
  j["offset"] = tile_offset(p, o);
  j["stage_offset"] = op.stage_offset;
  j["stage_bytes"] = ring.stage_bytes;
  j["copy"] = copy_spelling(p, o);
  j["says"] = lines_of(copy_text(p, o));
}

void add_output(const plan& p, int o, json& j) {
  const int n = find_epilogue(p, o);
  const epilogue_plan& e = p.epilogue[n];
  j["swizzle"] = swizzle_facts(e.swizzle);
  j["panel"] = {{"count", p.how.sharers() * e.panels},
                {"width", e.panel_cols},
                {"rows", e.panel_rows},
                {"bytes", e.panel_bytes}};
  j["global"] = global_facts(p, o);
  j["box"] = box_facts(in_map(p, o, panel_box(p, n)), p.how.sharers() * e.panels);
  j["offset"] = e.offset;
  j["copy"] = copy_spelling(p, o);
}

}  // namespace

json operand_part(const plan& p, int operand) {
  const operand_facts& f = p.operand[operand].facts;
  json j = declaration(f);
  if (f.kind == operand_kind::vector_output) j["written"] = written_text(p.operand[operand]);
  if (f.path == with_tiles) j["with_tiles"] = true;
  if (!p.refusal.holds() || !f.is_tiled()) return j;
  if (f.kind == operand_kind::output)
    add_output(p, operand, j);
  else
    add_input(p, operand, j);
  return j;
}

json operands_part(const plan& p) {
  json all = json::array();
  for (int o = 0; o < p.operands; ++o) all.push_back(operand_part(p, o));
  return all;
}

}  // namespace sectile::tell
