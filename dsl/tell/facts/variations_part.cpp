// What can be changed: each constant with neighbouring values, whether the kernel still holds, and what differs then.
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/facts/replan.hpp>

namespace sectile::tell {
namespace {

std::string yes_no(bool b) { return b ? "true" : "false"; }

std::string value_text(configuration_constant what, const configuration& c) {
  switch (what) {
    case configuration_constant::stages:
      return say(c.stages);
    case configuration_constant::consumers:
      return say(c.consumers);
    case configuration_constant::cluster:
      return say(c.cluster.rows, " x ", c.cluster.cols);
    case configuration_constant::persistent:
      return yes_no(c.persistent);
    case configuration_constant::pingpong:
      return yes_no(c.pingpong);
  }
  return "";
}

const char* name_of(configuration_constant what) {
  constexpr const char* names[] = {"stages", "consumers", "cluster", "persistent", "pingpong"};
  return names[static_cast<int>(what)];
}

}  // namespace

json differences(const plan& from, const plan& to) {
  json all = json::array();
  const auto add = [&all](const std::string& what, const char* unit, long before, long after) {
    if (before == after) return;
    all.push_back({{"what", what},
                   {"unit", unit},
                   {"from", before},
                   {"to", after},
                   {"says", say(what, " ", after, *unit ? " " : "", unit, " instead of ", before)}});
  };
  if (!from.refusal.holds() || !to.refusal.holds()) return all;
  add("threads of a CTA", "", from.threads, to.threads);
  add("shared memory", "bytes", from.shared_bytes, to.shared_bytes);
  for (int r = 0; r < from.rings && r < to.rings; ++r) {
    add(say("stages of ring ", r), "", from.ring[r].stages, to.ring[r].stages);
    add(say("a stage of ring ", r), "bytes", from.ring[r].stage_bytes, to.ring[r].stage_bytes);
    add(say("arrivals at an empty barrier of ring ", r), "", from.ring[r].empty_arrivals, to.ring[r].empty_arrivals);
  }
  for (int o = 0; o < from.operands; ++o) {
    const operand_plan &a = from.operand[o], &b = to.operand[o];
    if (a.facts.kind != operand_kind::input) continue;
    add(say("CTAs that fetch a slice of ", a.facts.name, " each"), "", a.slices, b.slices);
    if (a.swizzle != b.swizzle)
      all.push_back({{"what", say("swizzle of ", a.facts.name)},
                     {"unit", ""},
                     {"from", swizzle_text(a.swizzle)},
                     {"to", swizzle_text(b.swizzle)},
                     {"says", say(swizzle_text(b.swizzle), " for ", a.facts.name, " instead of ",
                                  a.swizzle == swizzle_mode::none ? "none" : say(span_bytes(a.swizzle), " bytes"))}});
    add(say("boxes of ", a.facts.name), "", a.panels * a.boxes_per_panel, b.panels * b.boxes_per_panel);
  }
  for (int i = 0; i < from.products.count; ++i) {
    const product_plan &a = from.products.at[i], &b = to.products.at[i];
    add(say("N of product ", i), "", a.instruction.n, b.instruction.n);
    add(say("wgmmas of a consumer for product ", i), "", a.k_steps * a.m_blocks, b.k_steps * b.m_blocks);
  }
  for (int i = 0; i < from.products.count; ++i)
    add(say("K of an instruction of product ", i), "", from.products.at[i].instruction.k,
        to.products.at[i].instruction.k);
  add("registers of fragments", "", from.accumulator_registers, to.accumulator_registers);
  add("registers of a consumer thread", "", from.consumer_registers, to.consumer_registers);
  add("registers of a producer thread", "", from.producer_registers, to.producer_registers);
  for (int n = 0; n < from.epilogues; ++n) {
    const epilogue_plan &a = from.epilogue[n], &b = to.epilogue[n];
    const std::string of = from.epilogues > 1 ? say(" of ", from.operand[a.operand].facts.name) : std::string();
    add(say("epilogue panels", of, " in shared memory"), "", a.buffers, b.buffers);
    add(say("columns of an epilogue panel", of), "", a.panel_cols, b.panel_cols);
  }
  if (const bool was = from.epilogue[0].deferred, is = to.epilogue[0].deferred; was != is)
    all.push_back({{"what", "deferred epilogue"},
                   {"unit", ""},
                   {"from", was},
                   {"to", is},
                   {"says", is ? "the result is stored during the next tile's first products"
                               : "the result is stored before the next tile begins"}});
  return all;
}

json variation(const std::string& constant, const std::string& from, const std::string& to, const violation& verdict,
               json changes) {
  std::vector<std::string> says;
  for (const json& c : changes) says.push_back(c["says"]);
  std::string text;
  for (const std::string& s : says) text += (text.empty() ? "" : "; ") + s;
  if (text.empty() && verdict.holds()) text = "the plan's numbers stay as they are";
  return {{"constant", constant},
          {"from", from},
          {"to", to},
          {"holds", verdict.holds()},
          {"says", verdict.holds() ? "holds" : verdict.says.text},
          {"rule", static_cast<int>(verdict.what)},
          {"changes", text},
          {"differences", std::move(changes)}};
}

namespace {

std::string members_text(const plan& p, const linked_modes& modes) {
  std::vector<std::string> names;
  for (const operand_mode& m : modes.members) {
    const operand_facts& f = p.operand[m.operand].facts;
    const char* from_inside[] = {"columns of ", "rows of "};
    const int place = f.tile.rank - 1 - m.mode;
    names.push_back(say(place < 2 ? from_inside[place] : "batches of ", f.name));
  }
  return list(names);
}

/// Half, three quarters, eight more (a core matrix), double.
std::vector<int> extents_near(int extent) {
  std::vector<int> near;
  for (const int to : {extent / 2, extent / 4 * 3, extent + core_matrix_rows, 2 * extent})
    if (to > 0 && to != extent) near.push_back(to);
  return near;
}

void add_configurations(const kernel_record& k, json& to) {
  const plan& p = *k.planned;
  for (const configuration_variation& v : k.vary()) {
    const violation verdict = first_refusal(v);
    json j = variation(name_of(v.change.what), value_text(v.change.what, p.how), value_text(v.change.what, v.change.to),
                       verdict, verdict.holds() ? differences(p, *v.planned) : json::array());
    j["kind"] = "configuration";
    j["proven"] = verdict.holds() && v.roles_were_run;
    to.push_back(std::move(j));
  }
}

void add_tiles(const plan& p, const trace& t, json& to) {
  for (const linked_modes& modes : tiled_modes(p))
    for (const int extent : extents_near(modes.extent)) {
      const std::optional<plan> other = with_tile_extent(p, t, modes, extent);
      if (!other) continue;
      json j = variation(say("tile ", modes.name), say(modes.extent), say(extent), other->refusal,
                         other->refusal.holds() ? differences(p, *other) : json::array());
      j["kind"] = "tile";
      j["what"] = members_text(p, modes);
      j["proven"] = false;  // the proofs that run the lowered roles have to be compiled
      to.push_back(std::move(j));
    }
}

/// The types that a kernel of the same kind of numbers could have, other than sums' own.
std::vector<element> types_like(const element& type) {
  if (type.kind == number::floating)
    return {element_of<bf16>(), element_of<f16>(), element_of<tf32>(), element_of<e4m3>(), element_of<e5m2>()};
  if (type.kind == number::bits) return {};
  return {element_of<s8>(), element_of<u8>()};
}

void add_types(const plan& p, const trace& t, json& to) {
  const product_plan& q = p.products.at[0];
  const element from = q.instruction.b;
  for (const element& type : types_like(from)) {
    if (type == from) continue;
    const std::optional<plan> other = with_type(p, t, from, type);
    if (!other) continue;
    std::vector<std::string> names;
    for (int o = 0; o < p.operands; ++o)
      if (p.operand[o].facts.kind == operand_kind::input && p.operand[o].facts.type == from)
        names.push_back(p.operand[o].facts.name);
    json j = variation(say("type of ", list(names)), from.name, type.name, other->refusal,
                       other->refusal.holds() ? differences(p, *other) : json::array());
    j["kind"] = "type";
    j["proven"] = false;
    to.push_back(std::move(j));
  }
}

}  // namespace

json variations_part(const kernel_record& k, const trace& t) {
  json all = json::array();
  if (k.vary) add_configurations(k, all);
  if (!k.planned->refusal.holds()) return all;
  add_tiles(*k.planned, t, all);
  add_types(*k.planned, t, all);
  return all;
}

}  // namespace sectile::tell
