// What roles do where a mode is cut into groups: see plan/groups.hpp. Each finds out for itself which group its tile is
// of, from numbers in memory that are the same for all of them and that nobody writes while the kernel runs. That is a
// premise of the protocol's proof, whose roles have groups that are alike.
#pragma once
#include <sectile/dsl/program/unroll.hpp>
#include <sectile/dsl/roles/work.hpp>

namespace sectile {

/// The places of a group along each mode that is cut.
template <class K>
struct group_places {
  group_place of[cuts_of<K>.count]{};
};
template <class K>
using place_of_group = std::conditional_t<has_groups<K>, group_places<K>, no_group>;
/// The one that operand I's rows have.
template <class K, int I>
constexpr const group_place& group_for(const group_places<K>& group) {
  return group.of[cut_by<K, I>];
}

/// What a role knows of its tile's group: the places of its rows, and the body's arguments, which have its sizes.
template <class K, bool Cut = has_groups<K>>
struct group_of_tile {
  static constexpr no_group group{};
};
template <class K>
struct group_of_tile<K, true> {
  group_places<K> group{};
  body_arguments<K> arguments_of_group{};
};

/// The arguments that a role reads its body with.
template <class Role, class Parameters>
constexpr const auto& arguments_of([[maybe_unused]] const Role& role, [[maybe_unused]] const Parameters& parameters) {
  if constexpr (has_groups<typename Role::kernel>)
    return role.arguments_of_group;
  else
    return parameters.arguments;
}

/// How many groups there are, and rows in all of them together along the mode that vector number N cuts.
template <class K>
constexpr int count_groups(const body_arguments<K>& all) {
  return handle_access::extent(all.template at<ends_of_cut<K, 0>>())[0];
}
template <class K, int N, int I = 0>
constexpr int rows_of_groups(const body_arguments<K>& all) {
  if constexpr (cut_by<K, I> == N)
    return handle_access::extent(all.template at<I>())[cut_of<K, I>()];
  else
    return rows_of_groups<K, N, I + 1>(all);
}

/// The role's next tile is of the group that is there: its body's tensors have the group's size.
template <class Role>
constexpr void take_group(Role& role, const body_arguments<typename Role::kernel>& all,
                          const place_of_group<typename Role::kernel>& at) {
  using K = typename Role::kernel;
  role.group = at;
  role.arguments_of_group = all;
  unroll<operand_count<K>>([&](auto i) {
    constexpr int cut = cut_of<K, i>();
    if constexpr (cut >= 0) {
      constexpr int tile = operand_facts_of<K, i>().tile.extent[cut];
      auto& mine = role.arguments_of_group.template at<i>();
      const int size = group_for<K, i>(at).size;
      handle_access::extent(mine)[cut] = size;
      handle_access::tile_count(mine)[cut] = (size + tile - 1) / tile;
    }
  });
}

/// The number in memory that says where group e ends, or how many rows it has.
template <class K, int N, class Machine, class Parameters>
constexpr int number_of_group(Machine& hw, const Parameters& parameters, int e) {
  const auto* const numbers = static_cast<const std::int32_t*>(parameters.vector[ends_of_cut<K, N>].data);
  return static_cast<int>(hw.template load_global<4>(numbers + e, true));
}
template <class K, int N>
inline constexpr bool counts_rows_of_groups = operand_facts_of<K, ends_of_cut<K, N>>().counts_rows;
/// Where group e is, whose number in memory is `said`, if the one before it ends at `before`.
template <class K, int N>
constexpr group_bounds bounds_of_group(const body_arguments<K>& all, int e, int before, int said) {
  constexpr bool counted = counts_rows_of_groups<K, N>;
  return bounds_of_group(counted, e, before, said, counted ? rows_of_groups<K, N>(all) / count_groups<K>(all) : 0);
}
/// The same of a number that is read. Whoever looks on is told whether there can be such a group.
template <class K, int N, class Machine, class Parameters>
constexpr group_bounds find_group(Machine& hw, const Parameters& parameters, int e, int before) {
  const body_arguments<K>& all = parameters.arguments;
  const group_bounds at = bounds_of_group<K, N>(all, e, before, number_of_group<K, N>(hw, parameters, e));
  if constexpr (requires { hw.observe_group(e, true); })
    hw.observe_group(e * cuts_of<K>.count + N, is_group(at.begin, at.end, rows_of_groups<K, N>(all)));
  return at;
}

/// The place of group e along the mode that vector number N cuts, which nobody has looked at before.
template <int N, class Role, class Parameters, class K = typename Role::kernel>
constexpr group_place place_named_group(Role& role, const Parameters& parameters, int e) {
  const int rows = rows_of_groups<K, N>(parameters.arguments);
  if constexpr (std::remove_reference_t<decltype(role.hw)>::computes) {
    const bool first = e == 0 || counts_rows_of_groups<K, N>;  // or of a room of its own
    const int before = first ? 0 : number_of_group<K, N>(role.hw, parameters, e - 1);
    const group_bounds found = find_group<K, N>(role.hw, parameters, e, before);
    return place_group(found.begin, found.end, rows);
  } else {
    return place_uniform_group(e, rows);
  }
}
/// The group of a tile that its coordinates name: of other work than groups' tiles, and where groups are alike.
template <class Role, class Parameters, class K = typename Role::kernel>
constexpr void take_named_group(Role& role, const Parameters& parameters, const tile_coordinates<max_rank>& at) {
  constexpr int mode =
      operand_facts_of<K, work_operand<K>>().position_of(operand_facts_of<K, ends_of_cut<K, 0>>().mode_at(0));
  group_places<K> places{};
  unroll<cuts_of<K>.count>([&](auto n) { places.of[n] = place_named_group<n>(role, parameters, at.at[mode]); });
  take_group(role, parameters.arguments, places);
}

/// Clusters of rows of a group of so many rows, and work items: clusters of its tiles in all of its matrices.
template <class K>
constexpr int cluster_rows_of_group(int size) {
  constexpr int rows = operand_plan_of<K, work_operand<K>>.facts.rows() * how_of<K>.rows_of_item();
  return (size + rows - 1) / rows;
}
template <class K>
constexpr int items_of_group(const work_grid& g, const body_arguments<K>& all, int size) {
  int items = cluster_rows_of_group<K>(size) * g.cols;
  if constexpr (operand_handle<K, work_operand<K>>::rank > 3)
    items *= handle_access::tile_count(all.template at<work_operand<K>>())[1];
  return items;
}
/// locate() of item `item` of the role's group, which is number e: matrix by matrix, or of several visited together row
/// by row.
template <class K>
constexpr tile_coordinates<max_rank> locate_in_group(int e, int item, const work_grid& g,
                                                     [[maybe_unused]] const body_arguments<K>& all, int size) {
  constexpr bool reversed = how_of<K>.rows == traversal::reversed;
  constexpr int rank = operand_handle<K, work_operand<K>>::rank, together = how_of<K>.batches;
  const int lines = cluster_rows_of_group<K>(size), most = how_of<K>.group;
  tile_coordinates<max_rank> at{};
  at.at[0] = e;
  int row = 0, col = 0;
  if constexpr (rank > 3 && together > 1) {
    const int first = item / (together * lines * g.cols) * together;  // of the matrices that are visited together
    const int left = handle_access::tile_count(all.template at<work_operand<K>>())[1] - first;
    const int count = left < together ? left : together, in_band = item - first * lines * g.cols;
    const int tile = in_band / count;
    at.at[1] = first + in_band - tile * count;
    row = tile / g.cols;
    col = tile - row * g.cols;
  } else {
    if constexpr (rank > 3) {
      at.at[1] = item / (lines * g.cols);
      item -= at.at[1] * lines * g.cols;
    }
    const int band = item / (most * g.cols), in_band = item - band * most * g.cols;
    const int rows = lines - band * most < most ? lines - band * most : most;
    col = in_band / rows;
    row = band * most + in_band - col * rows;
  }
  at.at[rank - 2] = (reversed ? lines - 1 - row : row) * how_of<K>.rows_of_item();
  at.at[rank - 1] = col * how_of<K>.cluster.cols;
  return at;
}

}  // namespace sectile
