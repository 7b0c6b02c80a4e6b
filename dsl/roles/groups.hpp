// What roles do where a mode is cut into groups: see plan/groups.hpp. Each finds out for itself which group its tile is
// of, from numbers in memory that are the same for all of them and that nobody writes while the kernel runs. That is a
// premise of the protocol's proof, whose roles have groups that are alike.
#pragma once
#include <sectile/dsl/program/unroll.hpp>
#include <sectile/dsl/roles/work.hpp>

namespace sectile {

template <class K>
using place_of_group = std::conditional_t<has_groups<K>, group_place, no_group>;

/// What a role knows of its tile's group: the place of its rows, and the body's arguments, which have its sizes.
template <class K, bool Cut = has_groups<K>>
struct group_of_tile {
  static constexpr no_group group{};
};
template <class K>
struct group_of_tile<K, true> {
  group_place group{};
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

/// How many groups there are, and rows in all of them together.
template <class K>
constexpr int count_groups(const body_arguments<K>& all) {
  return handle_access::extent(all.template at<group_ends_of<K>>())[0];
}
template <class K, int I = 0>
constexpr int rows_of_groups(const body_arguments<K>& all) {
  if constexpr (cut_of<K, I>() >= 0)
    return handle_access::extent(all.template at<I>())[cut_of<K, I>()];
  else
    return rows_of_groups<K, I + 1>(all);
}

/// The role's next tile is of the group that is there: its body's tensors have the group's size.
template <class Role>
constexpr void take_group(Role& role, const body_arguments<typename Role::kernel>& all, const group_place& at) {
  using K = typename Role::kernel;
  role.group = at;
  role.arguments_of_group = all;
  unroll<operand_count<K>>([&](auto i) {
    constexpr int cut = cut_of<K, i>();
    if constexpr (cut >= 0) {
      constexpr int tile = operand_facts_of<K, i>().tile.extent[cut];
      auto& mine = role.arguments_of_group.template at<i>();
      handle_access::extent(mine)[cut] = at.size;
      handle_access::tile_count(mine)[cut] = (at.size + tile - 1) / tile;
    }
  });
}

/// The number in memory that says where group e ends, or how many rows it has.
template <class K, class Machine, class Parameters>
constexpr int number_of_group(Machine& hw, const Parameters& parameters, int e) {
  const auto* const numbers = static_cast<const std::int32_t*>(parameters.vector[group_ends_of<K>].data);
  return static_cast<int>(hw.template load_global<4>(numbers + e, true));
}
template <class K>
inline constexpr bool counts_rows_of_groups = operand_facts_of<K, group_ends_of<K>>().counts_rows;
/// Where group e is, if the one before it ends at `before`. Whoever looks on is told whether there can be such a group.
template <class K, class Machine, class Parameters>
constexpr group_bounds find_group(Machine& hw, const Parameters& parameters, int e, int before) {
  constexpr bool counted = counts_rows_of_groups<K>;
  const int rows = rows_of_groups<K>(parameters.arguments);
  const int room = counted ? rows / count_groups<K>(parameters.arguments) : 0;
  const group_bounds at = bounds_of_group(counted, e, before, number_of_group<K>(hw, parameters, e), room);
  if constexpr (requires { hw.observe_group(e, true); }) hw.observe_group(e, is_group(at.begin, at.end, rows));
  return at;
}

/// The group of a tile of other work than groups' tiles: the one that its coordinates name.
template <class Role, class Parameters, class K = typename Role::kernel>
constexpr void take_named_group(Role& role, const Parameters& parameters, const tile_coordinates<max_rank>& at) {
  constexpr int mode =
      operand_facts_of<K, work_operand<K>>().position_of(operand_facts_of<K, group_ends_of<K>>().mode_at(0));
  const int e = at.at[mode], rows = rows_of_groups<K>(parameters.arguments);
  group_place place = place_uniform_group(e, rows);
  if constexpr (std::remove_reference_t<decltype(role.hw)>::computes) {
    const bool first = e == 0 || counts_rows_of_groups<K>;  // or of a room of its own
    const int before = first ? 0 : number_of_group<K>(role.hw, parameters, e - 1);
    const group_bounds found = find_group<K>(role.hw, parameters, e, before);
    place = place_group(found.begin, found.end, rows);
  }
  take_group(role, parameters.arguments, place);
}

/// Work items of a group of so many rows: clusters of its tiles.
template <class K>
constexpr int items_of_group(const work_grid& g, int size) {
  constexpr operand_plan work = operand_plan_of<K, work_operand<K>>;
  constexpr int rows = work.facts.rows() * how_of<K>.cluster.rows;
  return (size + rows - 1) / rows * g.cols;
}
/// locate() of item `item` of the role's group, which is number e.
template <class K>
constexpr tile_coordinates<max_rank> locate_in_group(int e, int item, const work_grid& g, int size) {
  constexpr bool reversed = how_of<K>.rows == traversal::reversed;
  const int all = items_of_group<K>(g, size) / g.cols, most = how_of<K>.group;
  const int band = item / (most * g.cols), in_band = item - band * most * g.cols;
  const int rows = all - band * most < most ? all - band * most : most, col = in_band / rows;
  const int row = band * most + in_band - col * rows;
  tile_coordinates<max_rank> at{};
  at.at[0] = e;
  at.at[1] = (reversed ? all - 1 - row : row) * how_of<K>.cluster.rows;
  at.at[2] = col * how_of<K>.cluster.cols;
  return at;
}

}  // namespace sectile
