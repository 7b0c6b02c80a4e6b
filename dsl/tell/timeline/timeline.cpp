#include <algorithm>
#include <iterator>
#include <map>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/model/hazard.hpp>
#include <sectile/dsl/tell/timeline/replayer.hpp>
#include <sectile/dsl/tell/timeline/sentences.hpp>
#include <utility>

namespace sectile::tell {

const char* name_of(timeline_kind k) {
  constexpr const char* names[] = {"wait_full",    "wait_empty",      "wait_barrier", "wait_products", "wait_in_order",
                                   "wait_cluster", "wait_store_read", "wait_store",   "expect",        "release",
                                   "arrive",       "arrive_in_order", "proxy_fence",  "compute",       "write",
                                   "read",         "read_global",     "write_global", "copy",          "product",
                                   "store"};
  static_assert(std::size(names) == static_cast<std::size_t>(timeline_kind::store) + 1);
  return names[static_cast<int>(k)];
}

bool is_wait(timeline_kind k) { return k <= timeline_kind::wait_store; }

const char* name_of(stage_state s) {
  constexpr const char* names[] = {"empty", "filling", "full", "reading"};
  static_assert(std::size(names) == std::size(every_stage_state));
  return names[static_cast<int>(s)];
}

timeline timeline_of(recording r) {
  timeline t{.from = std::move(r)};
  for (const recorded_lane& l : t.from.lanes)
    t.lanes.push_back({l.role, lane_kind::role, l.cta, l.first_thread, l.last_thread});
  for (int sm = 0; sm < t.from.sms(); ++sm) {
    t.lanes.push_back({"TMA copies", lane_kind::copies, sm});
    t.lanes.push_back({"tensor cores", lane_kind::tensor_cores, sm});
    t.lanes.push_back({"TMA stores", lane_kind::stores, sm});
  }
  replay(t);
  t.stopped = unfinished(t);
  if (!t.from.report.empty()) t.stopped += (t.stopped.empty() ? "" : "\n") + t.from.report;
  return t;
}

timeline watch(const std::function<void()>& run, int cluster) {
  model::verb_log log;
  log.cluster = cluster;
  std::string report;
  {
    const model::watching watch(log);
    try {
      run();
    } catch (const model::hazard& found) {
      report = found.what();
    }
  }
  recording r = recording_of(log);
  r.report = std::move(report);
  return timeline_of(std::move(r));
}

namespace {

/// An event that begins before something that it needs has ended. A wait begins before what ends it, and ends with it.
std::string early_event(const timeline& t) {
  for (const timeline_event& e : t.events)
    for (const int c : e.causes) {
      const timeline_event& cause = t.events[static_cast<std::size_t>(c)];
      const bool waits = is_wait(e.kind);
      const cycles needed = waits ? e.end : e.start;
      if (e.end == timeline_event::never) continue;
      // What a lane did before may go on beside it: copies, products and stores.
      const cycles given = e.kind == timeline_kind::wait_store_read && cause.kind == timeline_kind::store ? cause.read
                           : cause.lane == cause.by || waits                                              ? cause.end
                                                             : cause.issued;
      if (given == timeline_event::never || given > needed)
        return say(sentence(t, e), " before ", sentence(t, cause), ": at ", needed, ", not ", given);
    }
  return "";
}

/// Two events of one role, or of one unit that serves one after the other, at the same time.
std::string overlapping_events(const timeline& t) {
  std::map<int, const timeline_event*> before;
  for (const timeline_event& e : t.events) {
    const lane_kind kind = t.lanes[static_cast<std::size_t>(e.lane)].kind;
    if (kind == lane_kind::copies || kind == lane_kind::stores) continue;  // their latencies overlap
    const timeline_event*& last = before[e.lane];
    if (last != nullptr && (last->end == timeline_event::never || last->end > e.start))
      return say(sentence(t, *last), " and ", sentence(t, e), " at the same time");
    last = &e;
  }
  return "";
}

/// A stage that is copied into before all who read it have ended.
std::string overwritten_stage(const timeline& t) {
  for (const timeline_event& copy : t.events) {
    if (copy.kind != timeline_kind::copy) continue;
    for (const timeline_event& product : t.events) {
      if (product.kind != timeline_kind::product || product.issued > copy.issued) continue;
      const int cta = t.lanes[static_cast<std::size_t>(product.by)].cta;
      const bool meets = std::ranges::find(product.did.uses, copy.did.uses.front()) != product.did.uses.end() &&
                         (copy.did.ctas >> cta & 1) &&
                         (product.end == timeline_event::never || product.end > copy.issued);
      if (meets && copy.did.uses.front().ring >= 0) return say(sentence(t, copy), " while ", sentence(t, product));
    }
  }
  return "";
}

}  // namespace

std::string contradiction_in(const timeline& t) {
  for (const auto& find : {early_event, overlapping_events, overwritten_stage})
    if (std::string found = find(t); !found.empty()) return found;
  return "";
}

}  // namespace sectile::tell
