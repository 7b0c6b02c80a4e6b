#include <algorithm>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/draw/figures.hpp>
#include <sectile/dsl/tell/draw/fragment_figures.hpp>
#include <sectile/dsl/tell/draw/plan_figures.hpp>
#include <sectile/dsl/tell/draw/tile_figures.hpp>

namespace sectile::tell {
namespace {

/// The first product whose left factor is in registers; nullptr if none is.
const product_plan* product_from_registers(const plan& p) {
  for (int i = 0; i < p.products.count; ++i)
    if (p.products.at[i].instruction.a_in_registers) return &p.products.at[i];
  return nullptr;
}

int operand_named(const plan& p, const std::string& name) {
  for (int o = 0; o < p.operands; ++o)
    if (name == p.operand[o].facts.name) return o;
  return -1;
}

/// Picture `kind` of an operand.
figure draw_operand(const plan& p, int o, const std::string& kind) {
  if (kind == "global") return draw_global(p, o);
  const tile_subject s = subject_of(p, o);
  if (kind == "memory") return draw_memory(s);
  if (kind == "descriptor") return draw_descriptor(s);
  if (kind == "canonical") return draw_canonical(s);
  if (kind == "metadata") return draw_metadata(s.tile.element_bits, s.name);
  if (kind == "banks") return draw_banks(s);
  if (kind == "box") return draw_box(s, boxes_of(p, o));
  throw layout_error("there is no picture ", s.name.c_str(), ".", kind.c_str());
}

figure draw_fragment(const plan& p, const std::string& kind) {
  if (kind == "accumulator" && p.products.count == 0) {  // what is computed with lies as sums do
    const operand_facts& out = p.operand[p.work].facts;
    return draw_accumulator(p.how.swap ? out.rows() : out.cols(), 32);
  }
  if (kind == "accumulator") {
    const wgmma_instruction& w = p.products.at[0].instruction;
    return draw_accumulator(w.n, w.d.bits);
  }
  const product_plan* q = product_from_registers(p);
  return draw_register_operand(q->instruction.a.bits, kind == "left" ? "Left factor" : kind);
}

}  // namespace

std::vector<std::string> figure_ids(const plan& p) {
  std::vector<std::string> ids;
  if (p.products.count > 0) ids.push_back("hierarchy");
  for (int o = 0; o < p.operands; ++o) {
    if (!is_drawn(p, o)) continue;
    const std::string name = p.operand[o].facts.name;
    ids.push_back(name + ".global");
    if (!p.operand[o].facts.has_index()) ids.push_back(name + ".box");
    ids.push_back(name + ".memory");
    if (!subject_of(p, o).to_registers)
      for (const char* kind : {".canonical", ".descriptor"}) ids.push_back(name + kind);
    ids.push_back(name + ".banks");
    if (p.operand[o].facts.sparse) ids.push_back(name + ".metadata");
  }
  ids.push_back("fragment.accumulator");
  if (product_from_registers(p) != nullptr) {
    std::string name = "left";
    for (int r = p.products.reads - 1; r >= 0; --r)
      if (const int o = p.products.read[r].operand; !use_of(p, o).is_addend()) name = p.operand[o].facts.name;
    ids.push_back("fragment." + name);
  }
  for (int n = 0; n < p.epilogues; ++n) ids.push_back(say(p.operand[p.epilogue[n].operand].facts.name, ".global"));
  ids.push_back("memory_map");
  if (p.epilogues > 0) ids.push_back("epilogue.banks");
  return ids;
}

figure draw_figure(const plan& p, const std::string& id) {
  const std::vector<std::string> ids = figure_ids(p);
  if (std::ranges::find(ids, id) == ids.end())
    throw layout_error("there is no picture ", id.c_str(), " of this kernel");
  if (id == "memory_map") return draw_memory_map(p);
  if (id == "hierarchy") return draw_hierarchy(p);
  if (id == "epilogue.banks") return draw_epilogue_banks(p);
  const std::size_t point = id.find('.');
  const std::string subject = id.substr(0, point), kind = id.substr(point + 1);
  if (subject == "fragment") return draw_fragment(p, kind);
  return draw_operand(p, operand_named(p, subject), kind);
}

std::vector<named_figure> figures_of(const plan& p) {
  std::vector<named_figure> all;
  for (const std::string& id : figure_ids(p)) all.push_back({id, draw_figure(p, id)});
  return all;
}

}  // namespace sectile::tell
