// What every role of a cluster does on a problem of given sizes, written down: the roles themselves run on the
// recorder of the protocol's proof, with loops that turn as often as the sizes say.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <sectile/dsl/launch/path_reading.hpp>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/model/observed_vector.hpp>
#include <sectile/dsl/proofs/protocol_runs.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sectile::tell {

/// An mbarrier that every CTA of the cluster has.
struct walked_barrier {
  std::string name;    // "full[2] of A and B"
  std::string passed;  // what somebody knows who has waited for it: "A and B are in stage 2"
};

/// Shared memory that copies fill and roles read: a stage of a ring, or a slot for the number of a work item.
struct walked_stage {
  std::string name;  // "stage 2 of A and B"
  int ring = 0;      // slots come behind the rings
  int bytes = 0;     // of a whole fill
  int full = 0;      // mbarrier
  int empty = -1;    // mbarrier that tells of its release; -1: it is filled once, and stays
};

/// Where, in a role's actions, a trip of a loop begins; -1: where a loop has ended.
struct walked_trip {
  int at = 0, trip = 0;
};

struct walked_role {
  int cta = 0, role = 0;  // role 0 is the producer
  std::vector<protocol::action> actions{};
  std::vector<walked_trip> trips{};
  std::vector<int> shown_with{};  // roles, itself included, with which it exchanges columns
  int threads = 1;
};

struct protocol_walk {
  int ctas = 1, consumers = 1;
  std::vector<walked_barrier> barriers{};  // of a CTA
  std::vector<walked_stage> stages{};      // of a CTA
  std::string named[16]{};                 // what named barriers are for
  int rings = 0;
  int sums_ring = -1;      // in whose stages parts of sums are left; -1: nowhere
  int of_groups = -1;      // the meeting in a workspace of what groups of parts have become; -1: there is none
  bool own_tiles = false;  // consumers do not wait for each other's tiles
  std::vector<walked_role> roles{};
  /// By CTA and full barrier: the work items for which the producer announces phases 1, 2, ...
  std::vector<std::map<int, std::vector<int>>> announced{};
};

/// Fills in what the producers announce, from what they do.
void note_announcements(protocol_walk& walk);

/// The cluster of a plan, whose roles have nothing to do yet.
protocol_walk idle_walk(const plan& p);
/// The number in `walk.stages` of the slot that a recorded action names.
int stage_of_slot(const protocol_walk& walk, int slot);

/// Elements along each mode of each operand.
using walked_extents = std::int64_t[max_operands][max_rank];

/// Things that a role does and that are written down, at most. SPIN is done with what it can hold before that.
inline constexpr int longest_walk = 512;
struct walk_is_too_long : std::length_error {
  walk_is_too_long() : std::length_error(say("a role does more than ", longest_walk, " things")) {}
};

/// The recorder where sizes are given: loops turn as often as these say, and `clusters` share the work. It runs as any
/// code does, where a compiler may evaluate the operands of an expression in another order than the planner has seen;
/// so operations find what was planned for them as on the model, and nobody watches.
template <class Recorder>
struct sized : Recorder {
  static constexpr bool follows_order = true;
  int clusters = 1;
  std::vector<walked_trip>* trips_of = nullptr;

  constexpr int cluster_count() const { return clusters; }
  int trips(int, int counted) const { return counted; }
  void observe_trip(int trip) {
    if (this->log->overflow) throw walk_is_too_long();
    trips_of->push_back({this->log->count, trip});
  }
  void observe_item(int item) {
    if (this->log->overflow) throw walk_is_too_long();
    Recorder::observe_item(item);
  }
  void observe_other_path(bool = false) {}
  void observe_stale_tile(int) {}
  void observe_coord(int, int, int, coord) {}
  void observe_vector(const observed_vector&, const float*, int) {}
  void observe_factors(const auto&...) {}
  void observe_read(const auto&...) {}
  void observe_read_end() {}
  void observe_metadata(const auto&...) {}
  template <class, bool, class... Told>
  void observe_values(const Told&...) {}
  void observe_part(const auto&...) {}
  void observe_whole(const auto&...) {}
  void observe_state(const auto&...) {}
  void observe_merge(const auto&...) {}
  void observe_merged(const auto&...) {}
  void observe_moved(auto&) {}
  void observe_place(int, int, bool) {}
  using Recorder::load_shared;
  std::uint32_t load_shared(std::uint32_t from) {
    const int slot = this->where.ticket_at(from);
    if (slot < 0) return Recorder::load_shared(from);
    protocol::action a{protocol::act::take_item, 0, 0, this->first_item + clusters * ++this->taken};
    a.kind = slot;
    this->log->add(a);
    return static_cast<std::uint32_t>(a.bytes);
  }
  int number_drawn(const ticket_counters&, int, std::uint64_t, int tickets) {
    this->log->add({protocol::act::draw, 0, 0, tickets});
    return this->first_item + clusters * this->drawn++;
  }
};

/// The sizes of operand I's handle; a scalar has none.
template <class K, int I>
void fill_in(const std::int64_t (&extent)[max_rank], body_arguments<K>& arguments) {
  if constexpr (operand_at<K, I>::kind != operand_kind::scalar) {
    auto& handle = arguments.template at<I>();
    const operand_facts& f = plan_of<K>.operand[I].facts;
    for (int d = 0; d < f.tile.rank; ++d) {
      const std::int64_t tile = f.tile.extent[d];
      handle_access::extent(handle)[d] = static_cast<int>(extent[d]);
      handle_access::tile_count(handle)[d] = static_cast<int>((extent[d] + tile - 1) / tile);
    }
  }
}

/// Trips of the loop that K's body comes to first.
template <class K>
int first_trips(const body_arguments<K>& arguments) {
  constexpr const plan& p = plan_of<K>;
  trace_log log{};
  log.loops = p.loops;
  for (int i = 0; i < p.positions; ++i) log.loop_end[i] = p.steps[i].loop_end;
  read_path<K>(log, &arguments, {});
  for (int i = 0; i < log.log.events; ++i)
    if (log.log.at[i].kind == event_kind::loop) return log.log.at[i].coordinate[0];
  return 0;
}
/// Where tiles are cut: as in the proof of the protocol the last two, into three parts each, for three clusters. (A
/// launch cuts as many as are left over by whole waves, and no shorter ones than it pays for.)
inline work_stream walked_stream(int tiles, int trips) {
  const int cut = tiles < 2 ? tiles : 2, parts = trips < 3 ? trips : 3;
  return {tiles, tiles - cut, trips, protocol::streamed_clusters, parts};
}

/// The parameters of a launch on operands of these extents; what only bytes in memory hang on is as it was recorded.
template <class K, class Machine>
parameters_for<K, Machine> sized_problem(const walked_extents& extents) {
  auto parameters = protocol::recorded_problem<K, Machine>();
  [&]<int... I>(std::integer_sequence<int, I...>) { (fill_in<K, I>(extents[I], parameters.arguments), ...); }
  (std::make_integer_sequence<int, operand_count<K>>{});
  parameters.work = work_of<K>(parameters.arguments);
  if constexpr (uses_workspace<K> && parts_of<K> > 1)
    parameters.clusters_of_a_part = fast_divisor(parameters.work.count);
  if constexpr (streams<K>)
    parameters.stream = walked_stream(parameters.work.count, first_trips<K>(parameters.arguments));
  return parameters;
}

/// Role number `role` of CTA `cta`, in the first cluster of those that share the work; a persistent kernel has but
/// this one, or, where tiles are cut, the one between two others. `last`: as protocol::record().
template <class K>
void walk_role(const walked_extents& extents, walked_role& r, bool last) {
  using base = protocol::recorder<longest_walk>;
  using machine = typename machine_under_test<K, sized<base>>::type;
  const auto parameters = sized_problem<K, machine>(extents);
  const auto log = std::make_unique<protocol::action_log<longest_walk>>();
  machine hw{};
  hw.log = log.get();
  hw.trips_of = &r.trips;
  hw.where = protocol::addresses_of<K>;
  hw.rank = r.cta;
  hw.comes_last = last;
  hw.last_of = last ? protocol::to_all : 0;
  hw.thread_index = r.role * warpgroup;
  const int count = parameters.work.count;
  if constexpr (streams<K>) {
    const work_stream& s = parameters.stream;
    hw.clusters = s.clusters;
    hw.first_item = (s.whole + 1) % s.clusters;
    hw.parts = protocol::part_places_of(plan_of<K>, s.rest() * plan_of<K>.how.ctas());
  } else {
    hw.clusters = plan_of<K>.how.persistent ? 1 : count;
    hw.first_item = last ? 0 : count;
    hw.parts = protocol::part_places_of(plan_of<K>, count * plan_of<K>.how.ctas());
  }
  kernel_entry<K>(hw, parameters);
  if (log->overflow) throw walk_is_too_long();
  r.actions.assign(log->at, log->at + log->count);
}

/// The walk of K's first cluster over a problem of these extents. `last`: of parts that meet in a workspace, whether
/// this one's tickets are the last; precondition otherwise: such a part. Throws walk_is_too_long.
template <class K>
protocol_walk walk_protocol(const walked_extents& extents, bool last) {
  protocol_walk walk = idle_walk(plan_of<K>);
  for (walked_role& r : walk.roles) walk_role<K>(extents, r, last);
  note_announcements(walk);
  return walk;
}

}  // namespace sectile::tell
