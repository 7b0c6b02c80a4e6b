// Reductions of each column of a fragment.
//
// A column is spread over the eight lanes of a warp that have the same place in their quads, and over all warps of the
// consumers. Each thread takes its own elements in ascending order of their rows; then lanes exchange what they have,
// those 4 apart first, then those 8 and 16 apart; then warps show each other theirs in shared memory, and each thread
// takes all of them in ascending order, and where CTAs share a tile, what each CTA's come to likewise. The lower lane's
// number comes first, as in rows (row_reductions.hpp): this tree is the same on every machine, and all threads come to
// the same bits. As it joins rows that are no neighbours, a function must be commutative as well as associative.
#pragma once
#include <sectile/dsl/program/row_reductions.hpp>

namespace sectile {

/// Whether the warps of a reading show each other what they have of columns.
template <class R>
inline constexpr bool exchanges_columns = requires(R& sm) {
  sm.begin_showing(8);
};

/// What each thread has of each column. join(machine, a, b) is one of two numbers.
template <class R, class Rows, class Cols, class Join>
constexpr col_vector<R, Cols> fold_own(const char* what, const fragment<R, float, Rows, Cols>& x, Join join) {
  using type = fragment<R, float, Rows, Cols>;
  if constexpr (is_planner<R>) x.reading->reduces_along(Rows::name);
  x.touch();
  col_vector<R, Cols> y{x.reading};
  if constexpr (R::computes && R::knows_places)
    y = collect(what, y, [&](auto& hw, int, int entry) {
      float all = number_at(x, 0, entry);
      SECTILE_UNROLL for (int n = 1; n < 2 * type::atoms; ++n) {
        all = join(hw, all, number_at(x, n / 2, entry + 2 * (n % 2)));
      }
      return all;
    });
  if constexpr (is_watched<R>) {
    follow_own_columns(what, x, y, join);
    follow_edge(what, x, join, std::false_type{});
  }
  return y;
}

/// What the warp has of each column, in the lanes whose first row is the warp's; what others have is in another order.
template <class R, class Cols, class Join>
constexpr col_vector<R, Cols> join_warp(const char* what, col_vector<R, Cols> y, Join join) {
  for (int apart = 4; apart <= 16; apart *= 2) {
    const auto other = exchanged(y, apart);
    y = collect(what, y,
                [&](auto& hw, int, int entry) { return join(hw, number_at(y, 0, entry), number_at(other, 0, entry)); });
  }
  return y;
}

/// What all warps have shown of column `col`: those of a CTA joined in ascending order, then CTAs likewise, so that of
/// eight CTAs' 32 numbers no more than 10 are joined one behind the other.
template <class Reading, class Join>
constexpr float number_of_warps(Reading& sm, int col, Join join) {
  float all = 0;
  SECTILE_UNROLL for (int cta = 0; cta < Reading::exchanging_ctas; ++cta) {
    float its = 0, four[4]{};
    SECTILE_UNROLL for (int warp = 0; warp < 4 * Reading::sharers; warp += 4) {
      sm.column_shown(cta, warp, col, four);
      for (int i = 0; i < 4; ++i) its = warp + i == 0 ? four[0] : join(sm.hw, its, four[i]);
    }
    all = cta == 0 ? its : join(sm.hw, all, its);
  }
  return all;
}

/// What all threads have of each column, where `own` is what each one has.
template <class R, class Cols, class Join>
constexpr col_vector<R, Cols> join_threads(const char* what, const col_vector<R, Cols>& own, Join join,
                                           const edge_number* edge = nullptr) {
  if constexpr (is_planner<R>) own.reading->exchanges(Cols::extent);
  col_vector<R, Cols> y = own;
  if constexpr (R::computes && R::knows_places) {
    observe_numbers(own.reading->hw, &own.value[0][0], y.numbers, edge);
    y = join_warp(what, own, join);
  }
  if constexpr (exchanges_columns<R>) {
    auto& sm = *own.reading;
    const coord first = first_place(sm);
    sm.begin_showing(Cols::extent);
    SECTILE_UNROLL for (int g = 0; g < y.pairs; ++g) sm.show_columns(first.row % 8, first.col + 8 * g, y.value[g]);
    sm.end_showing();
    if constexpr (R::computes) {
      y = collect(what, y, [&](auto&, int, int entry) {
        return number_of_warps(sm, first.col + 2 * entry - entry % 4, join);  // of register 4g + j: 8g + j
      });
      if constexpr (is_watched<R>)
        for (int n = 0; n < y.numbers; ++n) follow_column(sm, what, n, y.value[n / 2][n % 2], join);
    } else {
      float four[4]{};
      sm.column_shown(0, 0, 0, four);
    }
  }
  return y;
}

/// One number for each column that registers hold of x, all of its elements joined in the order above.
template <class R, class Rows, class Cols, class Join>
constexpr col_vector<R, Cols> fold_columns(const char* what, const fragment<R, float, Rows, Cols>& x, Join join) {
  const auto own = fold_own(what, x, join);
  const auto edge = told_edge<false>(x, join);
  return join_threads(what, own, join, edge.line(0));
}

/// The same of a column that the body has. (Where registers hold the transpose that is refused.)
template <class X, class Join>
constexpr auto fold_columns_of_body(const char* what, const X& x, Join join) {
  if constexpr (swaps_in_plan<typename X::reading_type>)
    return refused(x);
  else
    return fold_columns(what, x, join);
}

/// f of all numbers of each column of x, two at a time, as the tree above has them. f is commutative and associative.
template <class X, class F>
requires(body_value<X> || staged_or_known<X>) constexpr auto col_reduce(const X& x, const F& f) {
  constexpr violation v = check_reduce("col_reduce", describe<X>(), function_facts_of<float, F, float, float>());
  static_assert(decltype(reason<v>())::verified);
  if constexpr (v.holds() && kind_of_value<X> == value_kind::fragment) {
    static_assert(decltype(columns_are_columns<typename X::reading_type>())::verified);
    follow<float, float>("col_reduce(x, f)", *x.reading, f);
    const auto y =
        fold_columns_of_body("col_reduce", x, [&](auto& hw, float a, float b) { return as_float(ask(hw, f, a, b)); });
    if constexpr (is_watched<typename X::reading_type>) follow_order("col_reduce", x, f);
    return y;
  } else {
    return refused(x);
  }
}
/// Anything else.
template <class... X>
requires(body_value<X> || ...) constexpr refused_value col_reduce(const X&... x) {
  static_assert(decltype(reason<check_reduce<X...>("col_reduce")>())::verified);
  return refused(x...);
}

/// The sum, the largest and the smallest number of each column of x; a number goes before a NaN. (auto: so that a
/// compiler looks into it where the call stands, before what is done with the result.)
template <class R, class Rows, class Cols>
constexpr auto col_sum(const fragment<R, float, Rows, Cols>& x) {
  static_assert(decltype(columns_are_columns<R>())::verified);
  return fold_columns_of_body("col_sum", x, sum_of_two{});
}
template <class R, class Rows, class Cols>
constexpr auto col_max(const fragment<R, float, Rows, Cols>& x) {
  note_picked(x);
  static_assert(decltype(columns_are_columns<R>())::verified);
  return fold_columns_of_body("col_max", x, larger_of_two{});
}
template <class R, class Rows, class Cols>
constexpr auto col_min(const fragment<R, float, Rows, Cols>& x) {
  note_picked(x);
  static_assert(decltype(columns_are_columns<R>())::verified);
  return fold_columns_of_body("col_min", x, smaller_of_two{});
}

}  // namespace sectile
