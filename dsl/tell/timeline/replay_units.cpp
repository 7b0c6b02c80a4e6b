// What lanes of a replay share: the units that copy, multiply, compute and store; and their waits for what these do.
#include <algorithm>
#include <sectile/dsl/tell/timeline/replayer.hpp>

namespace sectile::tell {

int replayer::lane_of_unit(int lane, lane_kind kind) const {
  for (std::size_t i = 0; i < t.lanes.size(); ++i)
    if (t.lanes[i].kind == kind && t.lanes[i].cta == r.sm_of(record(lane).cta)) return static_cast<int>(i);
  return lane;
}

bool replayer::copy(int lane, const operation& o) {
  const int id = begin(timeline_kind::copy, lane_of_unit(lane, lane_kind::copies), lane, o);
  const cycles duration = copy_cycles(o.bytes), start = units_of(lane).copies.serve(clock.now, duration);
  event(id).start = start;
  for_ctas(o.ctas, [&](int cta) { stages.fill(clock.now, cta, id); });
  clock.at(start + duration + nominal::copy_latency, [this, id] {
    end(id);
    const operation done = event(id).did;
    for_ctas(done.ctas, [&](int cta) {
      barrier_state& b = barrier_in(cta, done.barrier);
      b.bytes -= done.bytes;
      b.contributions.push_back(id);
      look_at(cta, done.barrier);
    });
  });
  return true;
}

bool replayer::multiply(int lane, const operation& o) {
  const int id = begin(timeline_kind::product, lane_of_unit(lane, lane_kind::tensor_cores), lane, o);
  const cycles start = units_of(lane).tensor_cores.serve(clock.now, o.duration);
  event(id).start = start;
  state(lane).groups.push_back(id);
  const int cta = record(lane).cta;
  clock.at(start, [this, cta, id] { stages.begin_reading(clock.now, cta, id); });
  clock.at(start + o.duration, [this, lane, cta, id] {
    end(id);
    stages.end_reading(clock.now, cta, id);
    ask_again(lane);
  });
  return true;
}

bool replayer::store(int lane, const operation& o) {
  const int id = begin(timeline_kind::store, lane_of_unit(lane, lane_kind::stores), lane, o);
  const cycles duration = copy_cycles(o.bytes), start = units_of(lane).stores.serve(clock.now, duration);
  event(id).start = start;
  state(lane).stores.push_back(id);
  clock.at(start + duration, [this, lane, id] {
    read[static_cast<std::size_t>(id)] = true;
    event(id).read = clock.now;
    ask_again(lane);
  });
  clock.at(start + duration + nominal::copy_latency, [this, lane, id] {
    end(id);
    ask_again(lane);
  });
  return true;
}

/// By threads, which wait for all of it once.
bool replayer::load(int lane, const operation& o) {
  const int id = begin(timeline_kind::read_global, lane, o);
  const cycles start = units_of(lane).loads.serve(clock.now, copy_cycles(o.bytes));
  clock.at(start + o.duration, [this, lane, id] {
    end(id);
    go(lane);
  });
  return false;
}

bool replayer::compute(int lane, timeline_kind kind, const operation& o) {
  const int id = begin(kind, lane, o);
  const bool reads = kind == timeline_kind::read;
  const int cta = record(lane).cta;
  if (reads) stages.begin_reading(clock.now, cta, id);
  units_of(lane).ordinary.serve(clock, o.duration, [this, lane, id, cta, reads] {
    end(id);
    if (reads) stages.end_reading(clock.now, cta, id);
    go(lane);
  });
  return false;
}

// ---- waits for what a lane has begun itself

/// The newest group that must be complete when at most `newest` may be pending, or nothing.
std::vector<int> replayer::pending_groups(int lane, int newest) {
  const std::vector<int>& g = state(lane).groups;
  if (static_cast<int>(g.size()) <= newest) return {};
  return {g[g.size() - 1 - static_cast<std::size_t>(newest)]};
}

std::vector<int> replayer::pending_stores(int lane, int newest, const std::vector<bool>& done) {
  const auto& g = state(lane).stored;
  std::vector<int> all;
  for (std::size_t i = 0; i + static_cast<std::size_t>(newest) < g.size(); ++i)
    for (const int id : g[i])
      if (!done[static_cast<std::size_t>(id)]) all.push_back(id);
  return all;
}

bool replayer::holds_up(timeline_kind kind, int id) const {
  return !(kind == timeline_kind::wait_store_read ? read : ended)[static_cast<std::size_t>(id)];
}

bool replayer::wait_for(int lane, timeline_kind kind, const operation& o, const std::vector<int>& what) {
  const bool waits = std::ranges::any_of(what, [&](int id) { return holds_up(kind, id); });
  if (!waits) return true;
  const int id = begin(kind, lane, o);
  state(lane).open = id;
  state(lane).awaited = what;
  return false;
}

void replayer::ask_again(int lane) {
  lane_state& s = state(lane);
  if (s.open < 0 || s.awaited.empty()) return;
  for (const int id : s.awaited)
    if (holds_up(event(s.open).kind, id)) return;
  release(lane, std::exchange(s.awaited, {}));
}

}  // namespace sectile::tell
