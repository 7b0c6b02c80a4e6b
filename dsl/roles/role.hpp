// What the producer's and the consumer's reading share: the machine, the rings, and the loops.
#pragma once
#include <sectile/dsl/program/reading.hpp>
#include <sectile/dsl/roles/groups.hpp>
#include <sectile/dsl/roles/steps.hpp>

namespace sectile {

/// Where a role stands in a ring: the stage it uses next and the parity of that stage's round.
struct ring_position {
  int stage = 0;
  int parity = 0;
  int part = 0;  // who looks on: members of the stage already seen; of a resident tile: that it has been

  constexpr void advance(int stages) {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

/// Which tile of its cluster a CTA makes, and which part of the trips. CTAs of one part have ranks in a row, counted
/// down the columns.
struct place_in_cluster {
  int row = 0, col = 0, part = 0;
};
/// Of parts that meet in a workspace this is for CTAs of the first: which part is the whole cluster's.
template <class K>
constexpr place_in_cluster place_of_rank(int rank) {
  constexpr cluster_shape c = how_of<K>.cluster;
  const int part = parts_of<K> > 1 && !uses_workspace<K> ? rank / c.size() : 0, in_part = rank - part * c.size();
  return {c.rows == 1 ? 0 : in_part % c.rows, c.cols == 1 ? 0 : in_part / c.rows, part};
}

/// Which part of a tile has the sums, of all parts, and goes on alone: the first one. Where they meet in a workspace
/// the last to come has them, which a run finds out; until then the first one speaks for all.
template <bool FoundOut>
struct holder_of_sums {
  static constexpr int holder = 0;
};
template <>
struct holder_of_sums<true> {
  int holder = 0;
  bool found = false;
};
constexpr int nobody = -1;

/// Of consumers abreast which one's tile a role makes; or, the producer, loads.
template <bool Abreast>
struct lane_of_cta {
  static constexpr int lane = 0;
};
template <>
struct lane_of_cta<true> {
  int lane = 0;
};

/// What of a tile a role makes, where that hangs on the tile: see plan/stream.hpp.
struct share_of_tile {
  work_item now{};
};
/// Whether CTAs may have parts of a tile's trips.
template <class K>
inline constexpr bool divides_loops = how_of<K>.divides_loops();

/// The kernel's first cluster_sync and its last one, by a machine that makes less of the one and two halves of the other:
/// what a thread has left when its peers need not wait for it any more, it does in between.
template <class K, class Machine>
constexpr void begin_together(Machine& hw) {
  if constexpr (how_of<K>.ctas() > 1 && requires { hw.cluster_begin(); })
    hw.cluster_begin();
  else
    hw.cluster_sync();
}
template <class K, class Machine>
constexpr void let_peers_leave(Machine& hw) {
  if constexpr (how_of<K>.ctas() > 1 && requires { hw.cluster_arrive(); }) hw.cluster_arrive();
}
template <class K, class Machine>
constexpr void leave_together(Machine& hw) {
  if constexpr (how_of<K>.ctas() > 1 && requires { hw.cluster_arrive(); })
    hw.cluster_wait();
  else
    hw.cluster_sync();
}

template <class Derived, class K, class Machine>
struct role_base : reading_base<Derived, K>,
                   holder_of_sums<uses_workspace<K>>,
                   lane_of_cta<how_of<K>.abreast>,
                   if_there<streams<K>, share_of_tile>,
                   group_of_tile<K> {
  template <class T, int N>
  using registers = typename Machine::template registers<T, N>;

  Machine& hw;
  int row_in_cluster, col_in_cluster;
  int part;            // of the trips, that this CTA makes
  int first_trip = 0;  // of the loop that is open, if loops are split
  ring_position ring[max_rings]{};

  constexpr role_base(Machine& machine, const place_in_cluster& at)
      : hw(machine), row_in_cluster(at.row), col_in_cluster(at.col), part(at.part) {}

  /// Takes this item for the one that comes next: until its sums have met, the first part speaks for all of the tile.
  constexpr void take(const work_item& item) {
    this->now = item;
    part = item.part;
    this->holder = 0;
    this->found = false;
  }
  /// Starts a new output tile: positions begin again, rings go on.
  constexpr void begin(const tile_coordinates<max_rank>& at) {
    this->tile = at;
    this->position = 0;
    if constexpr (Machine::follows_order) loads.begin(-1);
  }

  constexpr int loop_begins(int start, int trips, int) {
    follow<event_kind::loop>(start);
    if constexpr (parts_of < K >> 1 && divides_trips<K>) {
      const trip_part own = own_share(trips);
      first_trip = own.first;
      trips = own.count;
    } else if constexpr (streams<K>) {
      first_trip = this->now.first;
      trips = this->now.end - this->now.first;
    }
    return hw.trips(start, trips);
  }
  constexpr trip_part own_share(int trips) const { return part_of_trips(trips, part, parts_of<K>); }
  constexpr int number_of(int trip) const { return divides_trips<K> ? first_trip + trip : trip; }
  constexpr void loop_head(int start, bool more) {
    const int end = step_at<K, Machine>(start).loop_end();
    if constexpr (Machine::follows_order)
      if (this->position != start + 1 && this->position != end) hw.observe_other_path();
    this->position = end;
    if (!more) hw.observe_trip(-1);
  }
  constexpr void trip_begins(int start, int trip) {
    this->position = start + 1;
    if constexpr (Machine::follows_order) loads.begin(-1);
    hw.observe_trip(trip);
  }

  constexpr void moved(auto&) {}

  /// The CTA in the same place of the cluster that makes part `other`: its rank.
  constexpr int rank_of_part(int other) const {
    return row_in_cluster + how_of<K>.cluster.rows * col_in_cluster + how_of<K>.cluster.size() * other;
  }
  /// Whether this CTA has all of its tile's sums, where loops are split: it goes on alone.
  constexpr bool has_sums() const { return !divides_loops<K> || part == this->holder; }

 protected:
  // C++ leaves open which operand of an expression is evaluated first. What comes earlier than in the plan keeps its
  // own position, so that what is evaluated behind it finds what was planned for it: loads, tiles that come into
  // registers, and uses of fragments.
  struct nothing {};
  struct watched_loads {
    bool early[max_positions]{};  // passed before those in front of it
    int window = -1;          // where the positions begin that may change places, and the loads there so far
    int so_far[max_operands]{};
    constexpr void begin(int at) {
      window = at;
      for (int& n : so_far) n = 0;
    }
  };
  // (One member: of two empty ones, which cannot have the same address, cicc 13.0 does not come to an end.)
  [[no_unique_address]] std::conditional_t<Machine::follows_order, watched_loads, nothing> loads{};

  /// The position of the next operation.
  constexpr int here() {
    int& at = this->position;
    if constexpr (Machine::follows_order)
      for (; at < head_of<K>.positions && loads.early[at]; ++at) loads.early[at] = false;
    return at;
  }
  /// The same, which passes.
  constexpr int pass() {
    const int at = here();
    this->position = at + 1;
    return at;
  }
  /// The first position in the expression, from the next one on, whose step fits and has not been passed; -1: none.
  template <class Fits>
  constexpr int find_place(Fits fits) {
    int at = here();
    while (changes_places(at) && !ends_a_loop(at + 1) && (loads.early[at] || !fits(plan_of<K>.steps[at]))) ++at;
    return !loads.early[at] && fits(plan_of<K>.steps[at]) ? at : -1;
  }
  /// Passes position `at`, or the next one if it is not behind that.
  constexpr int pass(int at) {
    if (at <= here()) return pass();
    loads.early[at] = true;
    return at;
  }
  /// The position of the next load, of whichever operand, as all that is planned there is that there is one; or of the
  /// next reading of operand I's tile.
  template <event_kind Kind, int I>
  constexpr int pass_own() {
    if constexpr (Machine::follows_order)
      return pass(
          find_place([](const step& s) { return s.kind == Kind && (Kind == event_kind::load || s.operand == I); }));
    else
      return pass();
  }
  /// Where a fragment that comes into being now is said to do so: behind the last operation that no operand of its
  /// expression may change places with.
  constexpr int place_of_birth() {
    int at = here();
    const auto moves = [](event_kind what) { return what == event_kind::load || what == event_kind::read; };
    while (at > 0 && !ends_a_loop(at) && moves(plan_of<K>.steps[at - 1].kind)) --at;
    return at;
  }
  /// The position of the next use of a fragment, if its step fits.
  template <class Fits>
  constexpr int pass_use(Fits fits) {
    if constexpr (Machine::follows_order)
      return pass(find_place([&](const step& s) { return is_use(s.kind) && fits(s); }));
    else
      return pass();
  }
  /// (What no product has reached is planned nowhere, and reads as a finish.)
  static constexpr bool is_use(event_kind what) { return what == event_kind::touch || what == event_kind::finish; }
  /// Operands of one expression may change places.
  static constexpr bool is_within_expression(event_kind what) {
    return what == event_kind::load || what == event_kind::read || what == event_kind::touch;
  }
  static constexpr bool changes_places(int at) {
    constexpr const plan& p = plan_of<K>;
    return at < p.finish_position && (is_within_expression(p.steps[at].kind) || p.steps[at].kind == event_kind::finish);
  }
  static constexpr bool ends_a_loop(int at) {
    constexpr const plan& p = plan_of<K>;
    bool ends = false;
    for (int l = 0; l < p.loops.count; ++l) ends = ends || p.steps[p.loops.position[l]].loop_end == at;
    return ends;
  }
  /// A body passes the same operations in all runs; the planner tries some. Where a machine watches, an operation that
  /// was planned nowhere, or another one there, is told.
  template <event_kind Kind>
  constexpr void follow(int at) {
    if constexpr (Machine::follows_order) {
      const bool known = at < head_of<K>.positions, last = at == head_of<K>.finish_position;
      const event_kind planned = known ? plan_of<K>.steps[at].kind : event_kind::finish;
      const bool plain = planned == event_kind::finish;  // a use of what no product has reached, planned nowhere
      const bool within = is_within_expression(Kind) && (is_within_expression(planned) || plain);
      const bool same = last ? Kind == event_kind::finish : known && (planned == Kind || within);
      if (!same) hw.observe_other_path(Kind == event_kind::issue || planned == event_kind::issue);
    }
  }
  /// The same of a load of operand I. It may stand in for another one, or for a use: but no operand is loaded more
  /// often than was planned where that can be, as what it brings would lie on top of what is loaded already.
  template <int I>
  constexpr void follow_load(int at) {
    follow<event_kind::load>(at);
    if constexpr (Machine::follows_order) {
      constexpr const plan& p = plan_of<K>;
      const auto is_product = [&](int n) { return n >= 0 && n < p.positions && p.steps[n].kind == event_kind::issue; };
      int begin = at, planned = 0;
      while (begin > 0 && changes_places(begin - 1) && !ends_a_loop(begin)) --begin;
      int end = begin;
      for (; end == begin || (changes_places(end) && !ends_a_loop(end)); ++end)
        planned += p.steps[end].kind == event_kind::load && p.steps[end].operand == I;
      if (loads.window != begin) loads.begin(begin);
      if (++loads.so_far[I] > planned) hw.observe_other_path(is_product(begin - 1) || is_product(end));
    }
  }
  /// Where the stage is among all lanes'.
  template <int Ring>
  constexpr int place_of_stage(int stage) const {
    return ring_of<K, Ring>.lanes == 1 ? stage : this->lane * ring_of<K, Ring>.stages_of_lane() + stage;
  }
  template <int Ring>
  constexpr std::uint32_t full_barrier(int stage) const {
    constexpr int at = ring_of<K, Ring>.full_barrier;
    return hw.shared_base() + static_cast<std::uint32_t>(at + 8 * place_of_stage<Ring>(stage));
  }
  template <int Ring>
  constexpr std::uint32_t empty_barrier(int stage) const {
    constexpr int at = ring_of<K, Ring>.empty_barrier;
    return hw.shared_base() + static_cast<std::uint32_t>(at + 8 * place_of_stage<Ring>(stage));
  }
  /// Where operand I's tile of this stage begins.
  template <int I>
  constexpr std::uint32_t tile_address(int stage) const {
    constexpr int r = operand_plan_of<K, I>.ring;
    constexpr int begin = ring_of<K, r>.offset + operand_plan_of<K, I>.stage_offset;
    constexpr int pitch = ring_of<K, r>.stage_bytes;
    return hw.shared_base() + static_cast<std::uint32_t>(begin + place_of_stage<r>(stage) * pitch);
  }
  /// Where the metadata of sparse operand I's tile of this stage begins.
  template <int I>
  constexpr std::uint32_t metadata_address(int stage) const {
    constexpr int after = operand_plan_of<K, I>.metadata.stage_offset - operand_plan_of<K, I>.stage_offset;
    return tile_address<I>(stage) + static_cast<std::uint32_t>(after);
  }
  // Which load of a stage is the first and which the last, kernels know from the text. Who looks on counts them, since
  // those of an expression may have changed places; and compares in constant evaluation, where they never do.
  static constexpr bool counts_members = !Machine::computes || Machine::follows_order;
  constexpr bool counted(bool is, bool said) {
    if constexpr (requires(Machine & m) { m.observe_stage(is); })
      if (std::is_constant_evaluated()) hw.observe_stage(is == said);
    return is;
  }
  template <int Ring>
  constexpr bool first_of_stage(int at) {
    if constexpr (ring_of<K, Ring>.members == 1)
      return true;
    else if constexpr (counts_members)
      return counted(ring[Ring].part == 0, step_at<K, Machine>(at).opens());
    else
      return step_at<K, Machine>(at).opens();
  }
  template <int Ring>
  constexpr bool last_of_stage(int at) {
    constexpr int members = ring_of<K, Ring>.members;
    if constexpr (members == 1) {
      return true;
    } else if constexpr (counts_members) {
      int& seen = ring[Ring].part;
      seen = seen + 1 == members ? 0 : seen + 1;
      return counted(seen == 0, step_at<K, Machine>(at).closes());
    } else {
      return step_at<K, Machine>(at).closes();
    }
  }
  /// A load at this position has been seen: behind the last of a stage comes the next one.
  template <int Ring>
  constexpr void count_member(int at) {
    if constexpr (ring_of<K, Ring>.resident)
      ring[Ring].part = 1;
    else if (last_of_stage<Ring>(at))
      ring[Ring].advance(ring_of<K, Ring>.stages_of_lane());
  }
};

}  // namespace sectile
