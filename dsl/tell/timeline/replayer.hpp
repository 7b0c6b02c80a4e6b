// The replay in the making: lanes, what they meet at, and what they share.
#pragma once

#include <deque>
#include <map>
#include <sectile/dsl/tell/timeline/clock.hpp>
#include <sectile/dsl/tell/timeline/stage_states.hpp>
#include <sectile/dsl/tell/timeline/timeline.hpp>
#include <utility>
#include <vector>

namespace sectile::tell {

struct barrier_state {
  int completed = 0, expected = 0, pending = 0;
  std::int64_t bytes = 0;            // announced and not landed, or landed before
  std::vector<int> contributions{};  // events of the open phase
  std::vector<std::vector<int>> before{};
  std::vector<int> waiting{};  // lanes
};

struct named_state {
  int arrived = 0;
  std::vector<int> contributions{}, waiting{};
};

struct lane_state {
  std::size_t next = 0;
  int open = -1;  // the wait that it is in
  int last = -1;  // its last event
  std::vector<int> groups{};
  std::vector<int> stores{};               // not closed
  std::vector<std::vector<int>> stored{};  // closed groups
  std::vector<int> awaited{};              // its own events that it waits for
};

/// What a CTA has one of; CTAs that share an SM have the units of the first.
struct cta_units {
  queue_server copies{}, loads{}, tensor_cores{}, stores{};
  shared_server ordinary{};
  std::vector<barrier_state> barriers{};
};

/// Lanes are named by their number in the recording, events by theirs in the timeline. What carries out an operation
/// says whether its lane can go on at once.
struct replayer {
  explicit replayer(timeline& to);

  void run();

 private:
  // ---- lanes and events (replay.cpp)

  const recorded_lane& record(int lane) const { return r.lanes[static_cast<std::size_t>(lane)]; }
  lane_state& state(int lane) { return lanes[static_cast<std::size_t>(lane)]; }
  timeline_event& event(int id) { return t.events[static_cast<std::size_t>(id)]; }

  void go(int lane);
  bool carry_out(int lane, const operation& o);
  int begin(timeline_kind kind, int drawn_on, int by, const operation& o);
  int begin(timeline_kind kind, int lane, const operation& o);
  void end(int id);
  int instant(int lane, timeline_kind kind, const operation& o);
  void release(int lane, const std::vector<int>& by);

  // ---- where lanes meet (replay_barriers.cpp)

  bool wait(int lane, const operation& o);
  bool arrive(int lane, const operation& o);
  bool meet(int lane, const operation& o);
  bool announce(int lane, const operation& o);
  bool gather(int lane, const operation& o);
  const recorded_barrier& barrier_of(const operation& o) const {
    return r.barriers[static_cast<std::size_t>(o.barrier)];
  }
  barrier_state& barrier_in(int cta, int barrier) {
    return units[static_cast<std::size_t>(cta)].barriers[static_cast<std::size_t>(barrier)];
  }
  void look_at(int cta, int barrier);
  void come(named_state& b, const operation& o);

  // ---- what lanes share, and their waits for what they have begun themselves (replay_units.cpp)

  bool copy(int lane, const operation& o);
  bool multiply(int lane, const operation& o);
  bool store(int lane, const operation& o);
  bool load(int lane, const operation& o);
  bool compute(int lane, timeline_kind kind, const operation& o);
  bool wait_for(int lane, timeline_kind kind, const operation& o, const std::vector<int>& what);
  cta_units& units_of(int lane) { return units[static_cast<std::size_t>(r.sm_of(record(lane).cta))]; }
  int lane_of_unit(int lane, lane_kind kind) const;
  std::vector<int> pending_groups(int lane, int newest);
  std::vector<int> pending_stores(int lane, int newest, const std::vector<bool>& done);
  bool holds_up(timeline_kind kind, int id) const;
  void ask_again(int lane);

  /// Calls f(cta) for each CTA of a mask.
  template <class F>
  void for_ctas(std::uint32_t mask, F f) {
    for (int cta = 0; cta < r.cluster_size; ++cta)
      if (mask >> cta & 1) f(cta);
  }

  timeline& t;
  const recording& r;
  replay_clock clock{};
  stage_states stages;
  std::vector<lane_state> lanes;
  std::deque<cta_units> units{};                       // by CTA
  std::map<std::pair<int, int>, named_state> named{};  // by CTA and number
  std::map<std::pair<int, std::size_t>, named_state> gathered{};  // by cluster and how often
  std::vector<bool> ended{}, read{};                   // by event
};

/// Fills in events, changes of stages and length. Precondition: the recording and the lanes are there.
void replay(timeline& t);

}  // namespace sectile::tell
