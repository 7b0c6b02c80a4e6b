// The replay: a discrete-event simulation of roles, barriers and units.
//
// Units serve one after the other in the order in which they are asked: an SM's copies share its part of the L2 cache's
// rate (their latencies overlap), and so do the loads of its threads; its products share the tensor cores, its stores
// what they read from shared memory. Ordinary instructions of several warpgroups share the SM in turns of a quantum.
// Things that happen at the same time happen in the order in which they were brought about, so that the same record
// gives the same timeline.
#include <algorithm>
#include <sectile/dsl/tell/timeline/replayer.hpp>

namespace sectile::tell {

replayer::replayer(timeline& to) : t(to), r(to.from), stages(to), lanes(to.from.lanes.size()) {
  for (int c = 0; c < r.cluster_size; ++c) {
    units.emplace_back();
    for (const recorded_barrier& b : r.barriers)
      units.back().barriers.push_back({.expected = b.arrivals, .pending = b.arrivals});
  }
}

void replayer::run() {
  for (int l = 0; l < static_cast<int>(lanes.size()); ++l) clock.at(0, [this, l] { go(l); });
  clock.run();
  t.length = clock.now;
}

/// The lane goes on until it must wait, or is busy.
void replayer::go(int lane) {
  lane_state& s = state(lane);
  while (s.next < record(lane).operations.size()) {
    const operation& o = record(lane).operations[s.next++];
    if (!carry_out(lane, o)) return;
  }
}

/// Whether the lane can go on at once.
bool replayer::carry_out(int lane, const operation& o) {
  switch (o.what) {
    case deed::wait:
      return wait(lane, o);
    case deed::arrive:
      return arrive(lane, o);
    case deed::copy:
      return copy(lane, o);
    case deed::multiply:
      return multiply(lane, o);
    case deed::retire:
      return wait_for(lane, timeline_kind::wait_products, o, pending_groups(lane, o.number));
    case deed::meet:
      return meet(lane, o);
    case deed::announce:
      return announce(lane, o);
    case deed::gather:
      return gather(lane, o);
    case deed::compute:
      return compute(lane, timeline_kind::compute, o);
    case deed::write_shared:
      return compute(lane, timeline_kind::write, o);
    case deed::read_shared:
      return compute(lane, timeline_kind::read, o);
    case deed::read_global:
      return load(lane, o);
    case deed::write_global:
      return compute(lane, timeline_kind::write_global, o);
    case deed::store:
      return store(lane, o);
    case deed::close_store:
      state(lane).stored.push_back(std::exchange(state(lane).stores, {}));
      return true;
    case deed::reclaim:
      return wait_for(lane, timeline_kind::wait_store_read, o, pending_stores(lane, o.number, read));
    case deed::drain:
      return wait_for(lane, timeline_kind::wait_store, o, pending_stores(lane, o.number, ended));
    case deed::proxy_fence:
      return instant(lane, timeline_kind::proxy_fence, o) >= 0;
  }
  return true;
}

int replayer::begin(timeline_kind kind, int drawn_on, int by, const operation& o) {
  timeline_event e{.kind = kind,
                   .lane = drawn_on,
                   .by = by,
                   .issued = clock.now,
                   .start = clock.now,
                   .end = timeline_event::never,
                   .did = o};
  if (state(by).last >= 0) e.causes.push_back(state(by).last);
  t.events.push_back(e);
  ended.push_back(false);
  read.push_back(false);
  return static_cast<int>(t.events.size()) - 1;
}

/// An event of the lane itself.
int replayer::begin(timeline_kind kind, int lane, const operation& o) {
  const int id = begin(kind, lane, lane, o);
  state(lane).last = id;
  return id;
}

void replayer::end(int id) {
  event(id).end = clock.now;
  ended[static_cast<std::size_t>(id)] = true;
}

int replayer::instant(int lane, timeline_kind kind, const operation& o) {
  const int id = begin(kind, lane, o);
  end(id);
  return id;
}

/// The wait is over; these brought it about.
void replayer::release(int lane, const std::vector<int>& by) {
  const int id = std::exchange(state(lane).open, -1);
  std::vector<int>& causes = event(id).causes;
  std::erase_if(causes, [&](int c) { return std::ranges::find(by, c) != by.end(); });
  causes.insert(causes.begin(), by.rbegin(), by.rend());  // the last to come is first
  end(id);
  clock.at(clock.now, [this, lane] { go(lane); });
}

void replay(timeline& t) { replayer(t).run(); }

}  // namespace sectile::tell
