#include <algorithm>
#include <map>
#include <sectile/dsl/tell/promela/asked.hpp>

namespace sectile::tell {
namespace {

using protocol::act, protocol::action;

/// Of stages that are filled again and again.
bool is_full_of_a_ring(const protocol_walk& walk, int barrier) {
  return std::ranges::any_of(
      walk.stages, [&](const walked_stage& s) { return s.full == barrier && s.ring < walk.rings && s.empty >= 0; });
}

/// The phase that is the n-th, from 1, of those for this item.
int phase_of_item(const protocol_walk& walk, int cta, int barrier, int item, int n) {
  const auto known = walk.announced[cta].find(barrier);
  if (known == walk.announced[cta].end()) return no_phase;
  for (std::size_t phase = 0; phase < known->second.size(); ++phase)
    if (known->second[phase] == item && --n == 0) return static_cast<int>(phase) + 1;
  return no_phase;
}

}  // namespace

std::vector<int> asked_phases(const protocol_walk& walk, const walked_role& role) {
  std::vector<int> asked(role.actions.size(), -1);
  std::map<int, int> last, waits, parity;  // of a barrier
  const bool own = walk.own_tiles && role.role > 0;
  int item = -1;
  for (std::size_t n = 0; n < asked.size(); ++n) {
    const action& x = role.actions[n];
    if (x.what == act::begin) {
      item = x.bytes;
      waits.clear();
    }
    if (x.what != act::wait) continue;
    if (own && is_full_of_a_ring(walk, x.barrier)) {
      if (waits[x.barrier] == 0 || parity[x.barrier] != x.bytes) ++waits[x.barrier];
      parity[x.barrier] = x.bytes;
      asked[n] = phase_of_item(walk, role.cta, x.barrier, item, waits[x.barrier]);
      continue;
    }
    const auto before = last.find(x.barrier);
    if (before == last.end())
      asked[n] = x.bytes ? 0 : 1;
    else
      asked[n] = before->second + ((before->second & 1) == x.bytes);
    last[x.barrier] = asked[n];
  }
  return asked;
}

}  // namespace sectile::tell
