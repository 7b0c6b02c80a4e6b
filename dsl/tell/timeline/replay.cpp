// The replay: a discrete-event simulation of roles, barriers and units.
//
// Units serve one after the other in the order in which they are asked: a CTA's copies share its part of the L2 cache's
// rate (their latencies overlap), its products the tensor cores, its stores what they read from shared memory. Ordinary
// instructions of several warpgroups share the SM in turns of a quantum. Things that happen at the same time happen in
// the order in which they were brought about, so that the same record gives the same timeline.
#include <algorithm>
#include <deque>
#include <map>
#include <sectile/dsl/tell/timeline/replay.hpp>
#include <sectile/dsl/tell/timeline/replay_state.hpp>
#include <sectile/dsl/tell/timeline/stage_states.hpp>
#include <utility>

namespace sectile::tell {
namespace {

struct replayer {
  timeline& t;
  const recording& r;
  replay_clock clock{};
  stage_states stages;
  std::vector<lane_state> lanes;
  std::deque<cta_units> units{};  // by CTA
  std::map<std::pair<int, int>, named_state> named{};
  std::map<std::size_t, named_state> gathered{};  // by how often
  std::vector<bool> ended{}, read{};              // by event

  explicit replayer(timeline& to) : t(to), r(to.from), stages(to), lanes(to.from.lanes.size()) {
    for (int c = 0; c < r.cluster_size; ++c) {
      units.emplace_back();
      for (const recorded_barrier& b : r.barriers)
        units.back().barriers.push_back({.expected = b.arrivals, .pending = b.arrivals});
    }
  }

  void run() {
    for (int l = 0; l < static_cast<int>(lanes.size()); ++l) clock.at(0, [this, l] { go(l); });
    clock.run();
    t.length = clock.now;
  }

  // ---- lanes

  const recorded_lane& record(int lane) const { return r.lanes[static_cast<std::size_t>(lane)]; }
  lane_state& state(int lane) { return lanes[static_cast<std::size_t>(lane)]; }
  timeline_event& event(int id) { return t.events[static_cast<std::size_t>(id)]; }

  /// The lane goes on until it must wait, or is busy.
  void go(int lane) {
    lane_state& s = state(lane);
    while (s.next < record(lane).operations.size()) {
      const operation& o = record(lane).operations[s.next++];
      if (!carry_out(lane, o)) return;
    }
  }

  /// Whether the lane can go on at once.
  bool carry_out(int lane, const operation& o) {
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
        return compute(lane, timeline_kind::read_global, o);
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

  // ---- events

  int begin(timeline_kind kind, int drawn_on, int by, const operation& o) {
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
  int begin(timeline_kind kind, int lane, const operation& o) {
    const int id = begin(kind, lane, lane, o);
    state(lane).last = id;
    return id;
  }
  void end(int id) {
    event(id).end = clock.now;
    ended[static_cast<std::size_t>(id)] = true;
  }
  int instant(int lane, timeline_kind kind, const operation& o) {
    const int id = begin(kind, lane, o);
    end(id);
    return id;
  }
  /// The wait is over; these brought it about.
  void release(int lane, const std::vector<int>& by) {
    const int id = std::exchange(state(lane).open, -1);
    std::vector<int>& causes = event(id).causes;
    std::erase_if(causes, [&](int c) { return std::ranges::find(by, c) != by.end(); });
    causes.insert(causes.begin(), by.rbegin(), by.rend());  // the last to come is first
    end(id);
    clock.at(clock.now, [this, lane] { go(lane); });
  }

  // ---- mbarriers

  timeline_kind kind_of_wait(const recorded_barrier& b) const {
    return b.duty == barrier_duty::full    ? timeline_kind::wait_full
           : b.duty == barrier_duty::empty ? timeline_kind::wait_empty
                                           : timeline_kind::wait_barrier;
  }
  const recorded_barrier& barrier_of(const operation& o) const {
    return r.barriers[static_cast<std::size_t>(o.barrier)];
  }
  barrier_state& barrier_in(int cta, int barrier) {
    return units[static_cast<std::size_t>(cta)].barriers[static_cast<std::size_t>(barrier)];
  }

  bool wait(int lane, const operation& o) {
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

  bool arrive(int lane, const operation& o) {
    const recorded_barrier& b = barrier_of(o);
    const timeline_kind kind = o.bytes > 0                     ? timeline_kind::expect
                               : b.duty == barrier_duty::empty ? timeline_kind::give_back
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
  void look_at(int cta, int barrier) {
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

  // ---- units

  cta_units& units_of(int lane) { return units[static_cast<std::size_t>(record(lane).cta)]; }
  int lane_of_unit(int lane, lane_kind kind) const {
    for (std::size_t i = 0; i < t.lanes.size(); ++i)
      if (t.lanes[i].kind == kind && t.lanes[i].cta == record(lane).cta) return static_cast<int>(i);
    return lane;
  }

  bool copy(int lane, const operation& o) {
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
  template <class F>
  void for_ctas(std::uint32_t mask, F f) {
    for (int cta = 0; cta < r.cluster_size; ++cta)
      if (mask >> cta & 1) f(cta);
  }

  bool multiply(int lane, const operation& o) {
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
  bool store(int lane, const operation& o) {
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

  bool compute(int lane, timeline_kind kind, const operation& o) {
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
  std::vector<int> pending_groups(int lane, int newest) {
    const std::vector<int>& g = state(lane).groups;
    if (static_cast<int>(g.size()) <= newest) return {};
    return {g[g.size() - 1 - static_cast<std::size_t>(newest)]};
  }
  std::vector<int> pending_stores(int lane, int newest, const std::vector<bool>& done) {
    const auto& g = state(lane).stored;
    std::vector<int> all;
    for (std::size_t i = 0; i + static_cast<std::size_t>(newest) < g.size(); ++i)
      for (const int id : g[i])
        if (!done[static_cast<std::size_t>(id)]) all.push_back(id);
    return all;
  }
  bool holds_up(timeline_kind kind, int id) const {
    return !(kind == timeline_kind::wait_store_read ? read : ended)[static_cast<std::size_t>(id)];
  }
  bool wait_for(int lane, timeline_kind kind, const operation& o, const std::vector<int>& what) {
    const bool waits = std::ranges::any_of(what, [&](int id) { return holds_up(kind, id); });
    if (!waits) return true;
    const int id = begin(kind, lane, o);
    state(lane).open = id;
    state(lane).awaited = what;
    return false;
  }
  void ask_again(int lane) {
    lane_state& s = state(lane);
    if (s.open < 0 || s.awaited.empty()) return;
    for (const int id : s.awaited)
      if (holds_up(event(s.open).kind, id)) return;
    release(lane, std::exchange(s.awaited, {}));
  }

  // ---- barriers of threads

  bool meet(int lane, const operation& o) {
    if (o.count >= o.bytes) return true;  // nobody else comes
    const int id = begin(timeline_kind::wait_turn, lane, o);
    named_state& b = named[{record(lane).cta, o.number}];
    state(lane).open = id;
    b.waiting.push_back(lane);
    come(b, o);
    return false;
  }
  bool announce(int lane, const operation& o) {
    named_state& b = named[{record(lane).cta, o.number}];
    b.contributions.push_back(instant(lane, timeline_kind::pass_turn, o));
    come(b, o);
    return true;
  }
  void come(named_state& b, const operation& o) {
    b.arrived += o.count;
    if (b.arrived < o.bytes) return;
    const named_state met = std::exchange(b, {});
    for (const int lane : met.waiting) release(lane, met.contributions);
  }
  bool gather(int lane, const operation& o) {
    lane_state& s = state(lane);
    std::size_t turn = 0;
    for (std::size_t i = 0; i + 1 < s.next; ++i) turn += record(lane).operations[i].what == deed::gather;
    named_state& b = gathered[turn];
    s.open = begin(timeline_kind::wait_cluster, lane, o);
    b.waiting.push_back(lane);
    ++b.arrived;
    if (b.arrived < static_cast<int>(lanes.size())) return false;
    const named_state met = std::exchange(b, {});
    std::vector<int> by;
    if (event(s.open).causes.size() > 0 && met.waiting.size() > 1) by = {event(s.open).causes.back()};
    for (const int l : met.waiting) release(l, l == lane ? std::vector<int>{} : by);
    return false;
  }
};

}  // namespace

void replay(timeline& t) { replayer(t).run(); }

}  // namespace sectile::tell
