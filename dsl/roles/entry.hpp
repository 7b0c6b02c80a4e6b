// The kernel itself: set up the barriers, split into roles, walk the work, leave together.
//
// What leads from here to the body is always_inline, as are the uses of fragments in it (consumer.hpp): a role counts
// its positions in an ordinary int, which a compiler knows once it sees where that begins. A device's compiler then
// simplifies the body once, with positions that are constants, instead of at every function on the way.
#pragma once
#include <sectile/dsl/roles/consumer_products.hpp>
#include <sectile/dsl/roles/consumer_values.hpp>
#include <sectile/dsl/roles/interfaces.hpp>
#include <sectile/dsl/roles/producer.hpp>
#include <sectile/dsl/roles/tickets.hpp>

namespace sectile {

template <class K, class Machine>
constexpr void init_ticket_barriers(Machine& hw) {
  constexpr ticket_plan t = tickets_of<K>;
  constexpr int readers = ticket_readers(how_of<K>);
  for (int slot = 0; slot < t.slots; ++slot) {
    hw.mbarrier_init(hw.shared_base() + static_cast<std::uint32_t>(ticket_full_barrier(t, slot)), 1);
    hw.mbarrier_init(hw.shared_base() + static_cast<std::uint32_t>(ticket_empty_barrier(t, slot)), readers);
  }
}

template <class K, class Machine>
constexpr void init_barriers(Machine& hw) {
  unroll<head_of<K>.rings>([&](auto r) {
    constexpr int stages = ring_of<K, r>.stages, arrivals = ring_of<K, r>.empty_arrivals;
    constexpr int fills = ring_of<K, r>.full_arrivals;
    constexpr int full = ring_of<K, r>.full_barrier, empty = ring_of<K, r>.empty_barrier;
    for (int s = 0; s < stages; ++s) {
      hw.mbarrier_init(hw.shared_base() + static_cast<std::uint32_t>(full + 8 * s), fills);
      hw.mbarrier_init(hw.shared_base() + static_cast<std::uint32_t>(empty + 8 * s), arrivals);
    }
  });
  unroll<meetings_of<K>>([&](auto n) {
    constexpr int first = meeting_of<K, n>.barrier, count = how_of<K>.consumers * meeting_of<K, n>.rounds;
    for (int i = 0; i < count; ++i)
      hw.mbarrier_init(hw.shared_base() + static_cast<std::uint32_t>(first + 8 * i), parts_of<K> - 1);
  });
  constexpr int columns = count_exchange_barriers(head_of<K>), at = exchange_of<K>.barrier;
  for (int i = 0; i < columns; ++i) hw.mbarrier_init(hw.shared_base() + static_cast<std::uint32_t>(at + 8 * i), 1);
  init_ticket_barriers<K>(hw);
  hw.mbarrier_init_fence();
}

/// The first work item of this cluster: of the grid's clusters, or of those that make its part.
template <class K, class Machine>
constexpr int first_item(const Machine& hw, [[maybe_unused]] int part, [[maybe_unused]] const work_grid& work) {
  if constexpr (uses_workspace<K> && parts_of<K> > 1)
    return hw.cluster_index() - part * work.count;
  else
    return hw.cluster_index();
}

/// Reads the body once for every output tile of this CTA; a consumer that has tiles of its own, for those.
template <class K, class Machine, class Role>
[[gnu::always_inline]] constexpr void walk(Machine& hw, Role& role, const parameters_for<K, Machine>& parameters) {
  constexpr bool loads = std::is_same_v<Role, producer<K, Machine>>, by_turns = how_of<K>.own_tiles && !loads;
  [[maybe_unused]] int turn = 0;  // the consumer that makes the tile
  work_source<K, Machine, loads> source;
  static_assert(source_of_work<decltype(source), Machine, Role, parameters_for<K, Machine>>);
  int tile = 0;
  for (int item = first_item<K>(hw, role.part, parameters.work);
       (tile = source.tile_of(role, item, parameters)) < parameters.work.count; item = source.next(role, item)) {
    source.look_ahead(hw, parameters);
    tile_coordinates<max_rank> at = source.place_of(role, tile, parameters);
    constexpr int rank = operand_plan_of<K, work_operand<K>>.facts.tile.rank;
    at.at[rank - 2] += role.row_in_cluster * how_of<K>.rows_of_cta() + role.lane;
    at.at[rank - 1] += role.col_in_cluster;
    hw.observe_item(item);
    if constexpr (streams<K> && requires { hw.observe_share(role.now.tile, role.now.part, role.now.parts); })
      hw.observe_share(role.now.tile, role.now.part, role.now.parts);
    bool own = true;
    if constexpr (by_turns) {
      own = turn == role.index;
      turn = turn + 1 == how_of<K>.consumers ? 0 : turn + 1;
      if (!own) role.look_on(at);
    }
    if (own) {
      role.begin(at);
      arguments_of(role, parameters).read_body(role);
      role.finish();
    }
    if constexpr (!how_of<K>.persistent) break;  // the grid has a cluster for every item
  }
  if constexpr (by_turns)
    if (turn == role.index) role.wait_in_order();  // that nobody else takes
}

/// Which tile of its cluster this CTA makes, and which part of it.
template <class K, class Machine>
constexpr place_in_cluster place_of_cta(const Machine& hw, const parameters_for<K, Machine>& parameters) {
  place_in_cluster at = place_of_rank<K>(hw.cta_rank());
  if constexpr (uses_workspace<K> && parts_of<K> > 1) at.part = parameters.clusters_of_a_part.divide(hw.cluster_index());
  return at;
}

/// What this thread's role does: thread 0, or its whole warpgroup, fills the rings, the warpgroups behind the first one
/// multiply.
template <class K, class Machine>
[[gnu::always_inline]] constexpr void run_role(Machine& hw, const parameters_for<K, Machine>& parameters) {
  constexpr int consumers = how_of<K>.consumers, fillers = producer_threads(head_of<K>);
  constexpr int producer_registers = head_of<K>.producer_registers, consumer_registers = head_of<K>.consumer_registers;
  const place_in_cluster at = place_of_cta<K>(hw, parameters);
  if (hw.thread() < warpgroup) {
    if constexpr (head_of<K>.moves_registers()) hw.template registers_dec<producer_registers>();
    if (hw.thread() < fillers) {
      producer<K, Machine> role(hw, parameters, at);
      walk<K>(hw, role, parameters);
      if constexpr (how_of<K>.overlap == launch_overlap::both) hw.griddepcontrol_launch_dependents();
    }
    let_peers_leave<K>(hw);
  } else {
    if constexpr (head_of<K>.moves_registers()) hw.template registers_inc<consumer_registers>();
    consumer<K, Machine> role(hw, parameters, at);
    if constexpr (how_of<K>.pingpong || how_of<K>.own_tiles)  // the first turn is consumer 0's
      if (role.index == consumers - 1) role.arrive_in_order();
    role.begin_staggered();
    walk<K>(hw, role, parameters);
    role.end_staggered();
    if constexpr (how_of<K>.pingpong)  // and nobody takes the last one
      if (role.index == 0) role.wait_in_order();
    role.leave();
  }
}

/// The grid's consumers make the counters of tickets the launch's own, each thread one of them or some, while they have
/// nothing else to do. (Counters that are left, and those that somebody comes to sooner, are opened by who takes a
/// ticket; of a scattered output's rows there may be many.)
template <class K, class Machine>
constexpr void open_counters(Machine& hw, const parameters_for<K, Machine>& parameters) {
  constexpr int ctas = how_of<K>.ctas(), threads = how_of<K>.consumers * warpgroup;
  if (hw.thread() < warpgroup) return;
  const long long cta = ctas == 1 ? hw.cluster_index() : 1ll * hw.cluster_index() * ctas + hw.cta_rank();
  constexpr int most = operand_facts_of<K, work_operand<K>>().is_scattered() ? 4 : 1;
  SECTILE_UNROLL for (int n = 0; n < most; ++n) {
    const long long counter = (1ll * n * hw.cluster_count() * ctas + cta) * threads + hw.thread() - warpgroup;
    if (counter < parameters.counters) hw.open_tickets(parameters.tickets, static_cast<int>(counter));
  }
}

/// Runs on every thread of every CTA.
template <class K, role_machine Machine>
[[gnu::always_inline]] constexpr void kernel_entry(Machine& hw, const parameters_for<K, Machine>& parameters) {
  if (hw.thread() == 0) init_barriers<K>(hw);
  begin_together<K>(hw);
  if constexpr (how_of<K>.overlap != launch_overlap::none) hw.griddepcontrol_wait();
  if constexpr (needs_workspace(plan_of<K>)) open_counters<K>(hw, parameters);
  run_role<K>(hw, parameters);
  leave_together<K>(hw);  // nobody leaves while a peer may still write or arrive here
}

}  // namespace sectile
