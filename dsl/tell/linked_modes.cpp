#include <algorithm>
#include <sectile/dsl/plan/counted_tiles.hpp>
#include <sectile/dsl/tell/linked_modes.hpp>

namespace sectile::tell {

std::vector<linked_modes> modes_by_name(const plan& p) {
  std::vector<linked_modes> groups;
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    for (int d = 0; d < f.tile.rank; ++d) {
      const std::string name = text_of(without_prime(f.mode_at(d))).text;
      auto group = std::ranges::find(groups, name, &linked_modes::name);
      if (group == groups.end()) group = groups.insert(groups.end(), {.name = name, .extent = f.tile.extent[d]});
      group->members.push_back({o, d});
    }
  }
  return groups;
}

std::vector<linked_modes> tiled_modes(const plan& p) {
  std::vector<linked_modes> groups = modes_by_name(p);
  const auto is_batch = [&p](const operand_mode& m) { return m.mode + 2 < p.operand[m.operand].facts.tile.rank; };
  std::erase_if(groups, [&](const linked_modes& modes) { return std::ranges::all_of(modes.members, is_batch); });
  return groups;
}

bool takes_one_tile(const plan& p, const linked_modes& modes) {
  const int work = p.work;
  const auto of_work = std::ranges::find(modes.members, work, &operand_mode::operand);
  if (of_work == modes.members.end()) return false;
  bool one = false;
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    const bool stored = op.facts.kind == operand_kind::vector_output && op.combined == reduction::none;
    one = one || (stored && !tells_apart(p.operand[work].facts, op, of_work->mode));
  }
  return one;
}

void count_tiles(const plan& p, operand_extents& extent) {
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < p.operand[o].facts.tile.rank; ++d) {
      const operand_facts& f = p.operand[o].facts;
      if (const counted_tiles tiles = tiles_counted(p, o, d); tiles.extent > 0)
        extent[o][d] = tiles.count(extent[tiles.of.operand][tiles.of.mode]);
      else if (const mode_place of = place_in_matrices(p, f.mode_at(d)); f.block[d] > 1 && of.operand >= 0)
        extent[o][d] = f.elements_for(extent[of.operand][of.mode], d);
    }
}

}  // namespace sectile::tell
