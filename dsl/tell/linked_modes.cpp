#include <algorithm>
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

}  // namespace sectile::tell
