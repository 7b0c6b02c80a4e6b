// What the roles do to get to know their cluster's next work item: see plan/tickets.hpp.
#pragma once
#include <sectile/dsl/roles/parameters.hpp>
#include <sectile/dsl/roles/role.hpp>

namespace sectile {

/// How a source numbers items: the tile of each is the one with its number.
struct items_are_tiles {
  template <class Role, class Parameters>
  static constexpr int tile_of(Role&, int item, const Parameters&) {
    return item;
  }
  /// Its coordinates.
  template <class Role, class Parameters, class K = typename Role::kernel>
  static constexpr tile_coordinates<max_rank> place_of(Role& role, int tile, const Parameters& parameters) {
    const tile_coordinates<max_rank> at = locate<K>(tile, parameters.work, parameters.arguments);
    if constexpr (has_groups<K>) take_named_group(role, parameters, at);
    return at;
  }
};
/// Or parts of tiles as well (plan/stream.hpp): the role is told which.
struct items_are_parts : items_are_tiles {
  template <class Role, class Parameters>
  static constexpr int tile_of(Role& role, int item, const Parameters& parameters) {
    role.take(item_of(parameters.stream, item));
    return role.now.tile;
  }
};

/// Or tiles of groups, whose sizes are in memory. (Where nobody has these, groups are alike.)
struct items_are_tiles_of_groups {
  group_walk walk{};
  int placed = -1;  // the group whose places along other modes the role has, where several are cut

  template <class Role, class Parameters, class K = typename Role::kernel>
  constexpr int tile_of(Role& role, int item, const Parameters& parameters) {
    if constexpr (!std::remove_reference_t<decltype(role.hw)>::computes) {
      return item;
    } else {
      const body_arguments<K>& all = parameters.arguments;
      const int in_group = walk.find(
          item, count_groups<K>(all), rows_of_groups<K, walked_cut<K>>(all),
          [&](int e, int before) { return find_group<K, walked_cut<K>>(role.hw, parameters, e, before); },
          [&](const group_place& at) { return items_of_group<K>(parameters.work, all, at.size); });
      return in_group < 0 ? parameters.work.count : in_group;
    }
  }
  /// locate(), and the role's group with it.
  template <class Role, class Parameters, class K = typename Role::kernel>
  constexpr tile_coordinates<max_rank> place_of(Role& role, int tile, const Parameters& parameters) {
    const body_arguments<K>& all = parameters.arguments;
    if constexpr (!std::remove_reference_t<decltype(role.hw)>::computes) {
      const tile_coordinates<max_rank> at = locate<K>(tile, parameters.work, all);
      take_named_group(role, parameters, at);
      return at;
    } else {
      group_places<K> places = role.group;
      places.of[walked_cut<K>] = walk.place(rows_of_groups<K, walked_cut<K>>(all));
      if constexpr (cuts_of<K>.count > 1) {
        if (placed != walk.group)
          unroll<cuts_of<K>.count>([&](auto n) {
            if constexpr (n != walked_cut<K>) places.of[n] = place_named_group<n>(role, parameters, walk.group);
          });
        placed = walk.group;
      }
      take_group(role, all, places);
      return locate_in_group<K>(walk.group, tile, parameters.work, all, places.of[walked_cut<K>].size);
    }
  }
};

/// Those of K.
template <class K>
using items_of = std::conditional_t<streams<K>, items_are_parts,
                                    std::conditional_t<walks_groups<K>(), items_are_tiles_of_groups, items_are_tiles>>;

/// Work that is a cluster's from the beginning: items are dealt out in turn.
template <class K, class Machine, bool Loads, bool Drawn = how_of<K>.dynamic>
struct work_source : items_of<K> {
  constexpr void look_ahead(Machine&, const auto&) {}
  constexpr int next(auto& role, int item) { return item + role.hw.cluster_count(); }
};

/// Work that is drawn. `Loads`: by the role that loads tiles, whose first thread in the cluster's first CTA also draws.
template <class K, class Machine, bool Loads>
struct work_source<K, Machine, Loads, true> : items_of<K> {
  static constexpr int ctas = how_of<K>.ctas(), threads = Loads ? producer_threads(head_of<K>) : warpgroup;
  int turn = 0;  // slot + slots * parity, in one register while a tile is made
  std::uint64_t found = 0;  // by the one who draws

  /// Draws what comes behind the item that begins; nobody waits for the answer yet.
  template <class Parameters>
  constexpr void look_ahead(Machine& hw, const Parameters& parameters) {
    if constexpr (Loads)
      if (draws(hw)) found = hw.draw_ticket(parameters.tickets, parameters.counters - 1);
  }
  /// Where groups have as many tiles as they like, whoever draws learns how many these are when there is none.
  template <class Role, class Parameters>
  constexpr int tile_of(Role& role, int item, const Parameters& parameters) {
    const int tile = items_of<K>::tile_of(role, item, parameters);
    if constexpr (Loads && walks_groups<K>()) {
      const int ticket = item - role.hw.cluster_count();
      if (tile == parameters.work.count && ticket >= 0 && draws(role.hw) && ticket == count(parameters) - 1)
        role.hw.close_draws(parameters.tickets, parameters.counters - 1);
    }
    return tile;
  }
  /// The number of the cluster's next item.
  template <class Role>
  constexpr int next(Role& role, int) {
    Machine& hw = role.hw;
    if constexpr (Loads) {
      const auto& to = role.parameters;
      if (draws(hw))
        hand_out(hw, hw.cluster_count() + hw.number_drawn(to.tickets, to.counters - 1, found, to.work.count));
      if (leads<K>(hw)) hw.mbarrier_arrive_expect(full_barrier(hw), ticket_word);
    }
    hw.mbarrier_wait(full_barrier(hw), turn / ticket_slots);
    int item = static_cast<int>(hw.load_shared(word(hw)));
    if constexpr (threads > 1) item = hw.uniform(item);
    release(role);
    turn = (turn + 1) % (2 * ticket_slots);
    return item;
  }

 private:
  static constexpr bool draws(const Machine& hw) { return leads<K>(hw) && (ctas == 1 || hw.cta_rank() == 0); }
  /// The items of all groups, behind which the caller has looked.
  template <class Parameters>
  constexpr int count(const Parameters& parameters) const {
    return Machine::computes ? this->walk.count() : parameters.work.count;
  }
  /// To all CTAs, when everybody has read what was in the slot before.
  constexpr void hand_out(Machine& hw, int item) const {
    hw.mbarrier_wait(empty_barrier(hw), turn / ticket_slots ^ 1);
    for (int cta = 0; cta < ctas; ++cta)
      hw.store_shared_async(word(hw), static_cast<std::uint32_t>(item), full_barrier(hw), cta);
  }
  /// Tells the one who draws that this role has read the slot, all of its threads.
  template <class Role>
  constexpr void release(Role& role) const {
    Machine& hw = role.hw;
    if constexpr (Loads) {
      if constexpr (threads > 1) hw.named_barrier_sync(producer_barrier(how_of<K>.consumers), threads);
      if (leads<K>(hw) && !draws(hw)) hw.mbarrier_arrive_at(empty_barrier(hw), 0);
    } else {
      hw.named_barrier_sync(epilogue_barrier(role.index), warpgroup);
      if (role.thread != 0) return;
      if constexpr (ctas == 1)
        hw.mbarrier_arrive(empty_barrier(hw));
      else
        hw.mbarrier_arrive_at(empty_barrier(hw), 0);
    }
  }

  constexpr std::uint32_t full_barrier(const Machine& hw) const { return in_slot<ticket_full_barrier>(hw); }
  constexpr std::uint32_t empty_barrier(const Machine& hw) const { return in_slot<ticket_empty_barrier>(hw); }
  constexpr std::uint32_t word(const Machine& hw) const { return in_slot<ticket_offset>(hw); }
  template <int Of(const ticket_plan&, int)>
  constexpr std::uint32_t in_slot(const Machine& hw) const {
    constexpr ticket_plan t = tickets_of<K>;
    return hw.shared_base() + static_cast<std::uint32_t>(Of(t, turn % ticket_slots));
  }
};

}  // namespace sectile
