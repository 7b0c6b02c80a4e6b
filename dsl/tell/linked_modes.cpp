#include <algorithm>
#include <sectile/dsl/plan/words.hpp>
#include <sectile/dsl/tell/linked_modes.hpp>

namespace sectile::tell {

std::string name_of(const plan& p, const operand_mode& m) {
  const operand_facts& f = p.operand[m.operand].facts;
  const std::string name = f.mode_name[m.mode];
  return name.empty() ? say("mode ", m.mode, " of ", f.name) : name;
}

std::vector<linked_modes> modes_by_name(const plan& p) {
  std::vector<linked_modes> groups;
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.kind == operand_kind::scalar) continue;
    for (int d = 0; d < f.tile.rank; ++d) {
      const std::string name = name_of(p, {o, d});
      auto group = std::ranges::find(groups, name, &linked_modes::name);
      if (group == groups.end()) group = groups.insert(groups.end(), {.name = name});
      group->extent = std::max(group->extent, f.tile.extent[d]);
      group->members.push_back({o, d});
    }
  }
  return groups;
}

}  // namespace sectile::tell
