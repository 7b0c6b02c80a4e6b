// Where factors, and what two of them make, lie in their matrices: for machines that look on
// (program/observed_place.hpp).
#pragma once
#include <sectile/dsl/program/observed_place.hpp>
#include <sectile/dsl/program/observed_tile.hpp>
#include <sectile/dsl/roles/arguments.hpp>

namespace sectile {

/// Tile number `number` of operand I along its mode number `mode`.
template <int I, class Consumer>
constexpr stretch stretch_of(const Consumer& sm, int number, int mode) {
  return {std::int64_t{number} * operand_facts_of<typename Consumer::kernel, I>().tile.extent[mode],
          handle_access::extent(arguments_of(sm, sm.parameters).template at<I>())[mode]};
}
/// Where a factor lies, and what two of them make.
template <class Consumer, class X>
constexpr typename Consumer::place_in_matrix place_of_factor(const Consumer& sm, const X& x) {
  if constexpr (!follows_places<Consumer>) {
    return {};
  } else if constexpr (is_tile<X>::value) {
    constexpr int col = X::facts.tile.rank - 1, row = col - 1;
    const auto along = [&](int mode) { return stretch_of<X::operand>(sm, x.slot.tile.at[mode], mode); };
    return {along(X::is_transposed ? col : row), along(X::is_transposed ? row : col)};
  } else {
    return x.place;
  }
}
template <class Consumer, class A, class B>
constexpr typename Consumer::place_in_matrix place_of_product(Consumer& sm, const A& a, const B& b) {
  if constexpr (follows_places<Consumer>) {
    const auto left = place_of_factor(sm, a), right = place_of_factor(sm, b);
    if (left.cols.is_known() && right.rows.is_known() && left.cols.first != right.rows.first && sm.is_of_use())
      sm.hw.observe_apart(left.cols.first, right.rows.first);
    return {left.rows, right.cols};
  } else {
    return {};
  }
}
/// Which tile is behind a handle, and none behind a fragment.
template <class X>
constexpr observed_tile told_by(const X& x) {
  if constexpr (is_tile<X>::value)
    return x.slot.tile;
  else
    return {};
}

}  // namespace sectile
