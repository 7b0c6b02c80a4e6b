// Where factors, and what two of them make, lie in their matrices.
#pragma once
#include <sectile/dsl/model/observed_place.hpp>
#include <sectile/dsl/roles/arguments.hpp>

namespace sectile::model {

/// Tile number `number` of operand I along its mode number `mode`.
template <int I, class Consumer>
constexpr stretch stretch_of(const Consumer& sm, int number, int mode) {
  return {std::int64_t{number} * operand_facts_of<typename Consumer::kernel, I>().tile.extent[mode],
          handle_access::extent(arguments_of(sm, sm.parameters).template at<I>())[mode]};
}
/// Where a factor lies, and what two of them make.
template <class Consumer, class X>
constexpr observed_place place_of_factor(const Consumer& sm, const X& x) {
  if constexpr (is_tile<X>::value && !requires { x.slot.tile.at; }) {
    return {};  // read as on a GPU, which follows no order
  } else if constexpr (is_tile<X>::value) {
    constexpr int col = X::facts.tile.rank - 1, row = col - 1;
    const auto along = [&](int mode) { return stretch_of<X::operand>(sm, x.slot.tile.at[mode], mode); };
    return {along(X::is_transposed ? col : row), along(X::is_transposed ? row : col)};
  } else {
    return x.place;
  }
}
template <class Consumer, class A, class B>
constexpr observed_place place_of_product(Consumer& sm, const A& a, const B& b) {
  const auto left = place_of_factor(sm, a), right = place_of_factor(sm, b);
  if (left.cols.is_known() && right.rows.is_known() && left.cols.first != right.rows.first && sm.is_of_use())
    sm.hw.observe_apart(left.cols.first, right.rows.first);
  return {left.rows, right.cols};
}

/// Where a fragment that is made of no tile lies along its columns (or rows), if it is as large as the work's tiles.
template <bool Cols, class Extent, class Consumer>
constexpr stretch place_in_work(const Consumer& sm) {
  using K = typename Consumer::kernel;
  constexpr const plan& p = plan_of<K>;
  constexpr const operand_facts& f = p.operand[p.work].facts;
  constexpr bool across = Cols != Consumer::swaps;  // as the body has it
  constexpr int mode = f.tile.rank - (across ? 1 : 2);
  if constexpr (across && p.whole_rows)
    return {};
  else if constexpr (Extent::name == f.mode_at(mode) && Extent::extent == f.tile.extent[mode])
    return stretch_of<work_operand<K>>(sm, sm.tile.at[mode], mode);
  else
    return {};
}

}  // namespace sectile::model
