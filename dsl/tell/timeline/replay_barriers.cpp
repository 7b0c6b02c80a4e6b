// Where lanes meet in a replay: mbarriers, named barriers, and the barrier of the cluster.
#include <algorithm>
#include <sectile/dsl/tell/timeline/replayer.hpp>

namespace sectile::tell {
namespace {

timeline_kind kind_of_wait(const recorded_barrier& b) {
  return b.duty == barrier_duty::full    ? timeline_kind::wait_full
         : b.duty == barrier_duty::empty ? timeline_kind::wait_empty
                                         : timeline_kind::wait_barrier;
}

}  // namespace

// ---- mbarriers

bool replayer::wait(int lane, const operation& o) {
  barrier_state& b = barrier_in(record(lane).cta, o.barrier);
  const int id = begin(kind_of_wait(barrier_of(o)), lane, o);
  if ((b.completed & 1) == o.number) {
    state(lane).open = id;
    b.waiting.push_back(lane);
    return false;
  }
  if (b.completed > 0) {
    const std::vector<int>& by = b.before.back();
    event(id).causes.insert(event(id).causes.begin(), by.rbegin(), by.rend());
  }
  end(id);
  return true;
}

bool replayer::arrive(int lane, const operation& o) {
  const recorded_barrier& b = barrier_of(o);
  const timeline_kind kind = o.bytes > 0                     ? timeline_kind::expect
                             : b.duty == barrier_duty::empty ? timeline_kind::release
                                                             : timeline_kind::arrive;
  const int id = instant(lane, kind, o);
  for (int cta = 0; cta < r.cluster_size; ++cta) {
    if (!(o.ctas >> cta & 1)) continue;
    const auto count = [this, cta, id, barrier = o.barrier, arrivals = o.count, bytes = o.bytes] {
      barrier_state& there = barrier_in(cta, barrier);
      there.pending -= arrivals;
      there.bytes += bytes;
      there.contributions.push_back(id);
      look_at(cta, barrier);
    };
    if (cta == record(lane).cta)
      count();
    else
      clock.at(clock.now + nominal::remote_latency, count);
  }
  return true;
}

/// Completes the phase if all has come.
void replayer::look_at(int cta, int barrier) {
  barrier_state& b = barrier_in(cta, barrier);
  if (b.pending > 0 || b.bytes != 0) return;
  b.pending = b.expected;
  ++b.completed;
  b.before.push_back(std::exchange(b.contributions, {}));
  stages.complete(clock.now, cta, barrier, b.before.back().back());
  for (const int lane : std::exchange(b.waiting, {})) {
    if ((b.completed & 1) == event(state(lane).open).did.number)
      b.waiting.push_back(lane);
    else
      release(lane, b.before.back());
  }
}

// ---- barriers of threads

bool replayer::meet(int lane, const operation& o) {
  if (o.count >= o.bytes) return true;  // nobody else comes
  const int id = begin(timeline_kind::wait_in_order, lane, o);
  named_state& b = named[{record(lane).cta, o.number}];
  state(lane).open = id;
  b.waiting.push_back(lane);
  come(b, o);
  return false;
}

bool replayer::announce(int lane, const operation& o) {
  named_state& b = named[{record(lane).cta, o.number}];
  b.contributions.push_back(instant(lane, timeline_kind::arrive_in_order, o));
  come(b, o);
  return true;
}

void replayer::come(named_state& b, const operation& o) {
  b.arrived += o.count;
  if (b.arrived < o.bytes) return;
  const named_state met = std::exchange(b, {});
  for (const int lane : met.waiting) release(lane, met.contributions);
}

bool replayer::gather(int lane, const operation& o) {
  lane_state& s = state(lane);
  std::size_t turn = 0;
  for (std::size_t i = 0; i + 1 < s.next; ++i) turn += record(lane).operations[i].what == deed::gather;
  const int cluster = r.on_one_sm ? record(lane).cta : 0;
  const auto of_cluster = [&](const recorded_lane& l) { return !r.on_one_sm || l.cta == cluster; };
  named_state& b = gathered[{cluster, turn}];
  s.open = begin(timeline_kind::wait_cluster, lane, o);
  b.waiting.push_back(lane);
  ++b.arrived;
  if (b.arrived < std::ranges::count_if(r.lanes, of_cluster)) return false;
  const named_state met = std::exchange(b, {});
  std::vector<int> by;
  if (event(s.open).causes.size() > 0 && met.waiting.size() > 1) by = {event(s.open).causes.back()};
  for (const int l : met.waiting) release(l, l == lane ? std::vector<int>{} : by);
  return false;
}

}  // namespace sectile::tell
