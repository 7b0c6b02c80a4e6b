#include <algorithm>
#include <map>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/timeline/statistics.hpp>
#include <tuple>

namespace sectile::tell {
namespace {

/// For what a role waits, in words.
std::string subject(const timeline& t, const timeline_event& e) {
  const auto ring = [&] {
    const int r = t.from.barriers[static_cast<std::size_t>(e.did.barrier)].ring;
    return r < 0 ? std::string() : t.from.rings[static_cast<std::size_t>(r)].name;
  };
  switch (e.kind) {
    case timeline_kind::wait_full:
      return say("copies of ", ring());
    case timeline_kind::wait_empty:
      return say("free stages of ", ring());
    case timeline_kind::wait_barrier:
      return t.from.barriers[static_cast<std::size_t>(e.did.barrier)].name;
    case timeline_kind::wait_products:
      return "its products";
    case timeline_kind::wait_in_order:
      return "its turn";
    case timeline_kind::wait_cluster:
      return "the other roles of the cluster";
    case timeline_kind::wait_store_read:
      return "epilogue buffers that TMA still reads";
    case timeline_kind::wait_store:
      return "its stores";
    default:
      return "";  // no wait
  }
}

void add_waits(const timeline& t, timeline_statistics& s) {
  std::map<std::tuple<int, timeline_kind, std::string>, waiting_total> totals;
  for (const timeline_event& e : t.events) {
    if (!is_wait(e.kind) || e.end <= e.start) continue;
    const std::string whom = subject(t, e);
    waiting_total& w = totals[{e.lane, e.kind, whom}];
    w = {e.lane, e.kind, whom, w.times + 1, w.spent + e.end - e.start};
  }
  for (const auto& [key, w] : totals) s.waits.push_back(w);
  std::ranges::stable_sort(s.waits, [](const waiting_total& a, const waiting_total& b) { return a.spent > b.spent; });
}

/// Time that stages spend in each state.
void add_rings(const timeline& t, timeline_statistics& s) {
  for (int cta = 0; cta < t.from.cluster_size; ++cta)
    for (int r = 0; r < static_cast<int>(t.from.rings.size()); ++r) {
      ring_use u{.cta = cta, .ring = r, .from = -1};
      std::vector<stage_change> mine;
      for (const stage_change& c : t.changes) {
        if (c.cta != cta || c.ring != r) continue;
        mine.push_back(c);
        if (u.from < 0) u.from = c.at;
        u.to = c.at;
      }
      if (mine.empty()) continue;
      const auto stages = static_cast<std::size_t>(t.from.rings[static_cast<std::size_t>(r)].stages);
      std::vector<stage_change> now(stages, stage_change{.at = u.from});
      const auto spend = [&](stage_change& before, cycles until) {
        u.in_state[static_cast<int>(before.state)] += until - before.at;
      };
      for (const stage_change& c : mine) {
        stage_change& before = now[static_cast<std::size_t>(c.stage)];
        spend(before, c.at);
        before = c;
      }
      for (stage_change& c : now) spend(c, u.to);
      s.rings.push_back(u);
    }
}

}  // namespace

int percent(cycles part, cycles whole) { return whole <= 0 ? 0 : static_cast<int>((200 * part + whole) / (2 * whole)); }

timeline_statistics statistics_of(const timeline& t) {
  timeline_statistics s;
  const auto ctas = static_cast<std::size_t>(t.from.cluster_size);
  s.tensor_busy.resize(ctas);
  s.first_product.assign(ctas, -1);
  s.last_product.resize(ctas);
  s.bytes_copied.resize(ctas);
  s.bytes_stored.resize(ctas);
  s.from = -1;
  for (const timeline_event& e : t.events) {
    const auto cta = static_cast<std::size_t>(t.lanes[static_cast<std::size_t>(e.lane)].cta);
    if (e.kind == timeline_kind::copy) {
      if (s.from < 0) s.from = e.issued;
      s.bytes_copied[cta] += e.did.bytes;
    }
    if (e.kind == timeline_kind::store) s.bytes_stored[cta] += e.did.bytes;
    if (e.end == timeline_event::never) continue;
    if (!is_wait(e.kind)) s.to = std::max(s.to, e.end);
    if (e.kind != timeline_kind::product) continue;
    s.tensor_busy[cta] += e.end - e.start;
    if (s.first_product[cta] < 0) s.first_product[cta] = e.start;
    s.last_product[cta] = std::max(s.last_product[cta], e.end);
  }
  s.from = std::max<cycles>(s.from, 0);
  for (cycles& first : s.first_product) first = std::max<cycles>(first, 0);
  add_waits(t, s);
  add_rings(t, s);
  return s;
}

}  // namespace sectile::tell
