// The replay in the making: lanes, what they meet at, and what they share.
#pragma once

#include <deque>
#include <map>
#include <sectile/dsl/tell/timeline/replay_state.hpp>
#include <sectile/dsl/tell/timeline/stage_states.hpp>
#include <utility>
#include <vector>

namespace sectile::tell {

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

}  // namespace sectile::tell
