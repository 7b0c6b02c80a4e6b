#include <algorithm>
#include <map>
#include <sectile/dsl/tell/promela/asked.hpp>

namespace sectile::tell {
namespace {

using protocol::act, protocol::action;

/// By full barrier: the work items for which the producer of a CTA announces phases 1, 2, ...
std::map<int, std::vector<int>> announced_items(const protocol_walk& walk, int cta) {
  std::map<int, std::vector<int>> items;
  for (const walked_role& producer : walk.roles) {
    if (producer.cta != cta || producer.role != 0) continue;
    int item = -1;
    for (const action& x : producer.actions) {
      if (x.what == act::begin) item = x.bytes;
      if (x.what == act::expect) items[x.barrier].push_back(item);
    }
  }
  return items;
}

/// Of stages that are filled again and again.
bool is_full_of_a_ring(const protocol_walk& walk, int barrier) {
  return std::ranges::any_of(walk.stages, [&](const walked_stage& s) {
    return s.full == barrier && s.ring < walk.rings && s.empty >= 0;
  });
}

/// The phase that is the n-th, from 1, of those for this item.
int phase_of_item(const std::vector<int>& items, int item, int n) {
  for (std::size_t phase = 0; phase < items.size(); ++phase)
    if (items[phase] == item && --n == 0) return static_cast<int>(phase) + 1;
  return no_phase;
}

}  // namespace

std::vector<int> asked_phases(const protocol_walk& walk, const walked_role& role) {
  std::vector<int> asked(role.actions.size(), -1);
  std::map<int, int> last, waits, parity;  // of a barrier
  std::map<int, std::vector<int>> items;
  const bool own = walk.own_tiles && role.role > 0;
  if (own) items = announced_items(walk, role.cta);
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
      asked[n] = phase_of_item(items[x.barrier], item, waits[x.barrier]);
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
