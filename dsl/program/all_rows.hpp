// One number of all elements of a tile: the numbers that its rows have, joined along the column that they are. Every
// row then has it, so it meets fragments and rows' numbers as these meet each other.
#pragma once
#include <sectile/dsl/program/col_reductions.hpp>

namespace sectile {

/// `number` for each row, or column.
template <class Line>
constexpr Line one_for_all(typename Line::reading_type* reading, float number) {
  Line y{reading};
  if constexpr (Line::reading_type::computes)
    for (auto& pair : y.value)
      for (float& its : pair) its = number;
  become_one_number(y);
  return y;
}

/// The numbers of all rows become one: first those that a thread has, in ascending order, then those of its neighbours.
/// join(machine, a, b) is one of two numbers, whichever comes first.
template <class R, class Rows, class Join>
constexpr row_vector<R, Rows> join_rows(const char* what, const row_vector<R, Rows>& x, Join join) {
  use_line(x);
  using any_column = along<8, mode_id::any>;  // the threads that a column is spread over have a part of the rows each
  col_vector<R, any_column> own{x.reading};
  if constexpr (R::computes) {
    float all = x.value[0][0];
    for (int i = 1; i < x.numbers; ++i) all = join(x.reading->hw, all, x.value[i / 2][i % 2]);
    if constexpr (is_watched<R>) follow_all(what, x, all, join);
    for (float& number : own.value[0]) number = all;
  }
  const auto joined = join_threads(what, own, join);
  return one_for_all<row_vector<R, Rows>>(x.reading, joined.value[0][0]);
}
/// The same where registers hold the transpose: a quad has all rows, and its lanes two of each eight.
template <class R, class Rows, class Join>
constexpr col_vector<R, Rows> join_rows(const char* what, const col_vector<R, Rows>& x, Join join) {
  use_line(x);
  float all = x.value[0][0];
  if constexpr (R::computes) {
    auto& hw = x.reading->hw;
    for (int i = 1; i < x.numbers; ++i) all = join(hw, all, x.value[i / 2][i % 2]);
    if constexpr (is_watched<R>) follow_all(what, x, all, join);
    all = join_quad(what, hw, all, join);
  }
  return one_for_all<col_vector<R, Rows>>(x.reading, all);
}

/// Shows all consumers two numbers of this thread's; returns the place of the first of its columns.
template <class R>
constexpr coord show_pair(R& sm, int columns, const float (&shown)[2]) {
  const coord first = first_place(sm);
  sm.begin_showing(columns);
  sm.show_columns(first.row % 8, first.col, shown);
  sm.end_showing();
  return first;
}

/// One number of all threads, where `number` is what each quad has.
template <class R, class Join>
constexpr float join_quads(const char* what, R& sm, float number, Join join) {
  constexpr int columns = 8;  // the fewest that are exchanged; all have the number
  if constexpr (is_planner<R>) sm.exchanges(columns);
  if constexpr (R::computes && R::knows_places) {
    observe_numbers(sm.hw, &number, 1);
    for (int apart = 4; apart <= 16; apart *= 2) number = join(sm.hw, number, sm.hw.shuffle_xor(number, apart));
  }
  if constexpr (exchanges_columns<R>) {
    [[maybe_unused]] const coord first = show_pair(sm, columns, {number, number});
    if constexpr (R::computes) {
      number = number_of_warps(sm, first.col, join);
      if constexpr (is_watched<R>) follow_column(sm, what, 0, number, join);
    } else {
      float four[4]{};
      sm.column_shown(0, 0, 0, four);
    }
  }
  return number;
}
/// The same of rows' numbers of which each thread has a part, made by the same join: what is of rows need not be
/// finished first. A quad's parts become one number, and that is all that warps exchange.
template <reduction How, class R, class Rows>
requires(R::swaps) constexpr col_vector<R, Rows> join_rows(const char* what, const partial_rows<R, Rows, How>& x) {
  const float of_quad = join_rows(what, x.share, joining<How>{}).value[0][0];
  const float all = join_quads(what, *x.share.reading, of_quad, joining<How>{});
  return one_for_all<col_vector<R, Rows>>(x.share.reading, all);
}
template <reduction How, class X>
constexpr auto join_rows(const char* what, const X& x) {
  return join_rows(what, complete(x), joining<How>{});
}

/// The sum, the largest and the smallest of all rows' numbers, as a number that every row has: `col_max(row_max(x))` is
/// the largest number of a fragment. Rows beyond the tensor's end count like others; a number goes before a NaN.
template <class X>
requires is_of_rows<X>
constexpr auto col_sum(const X& x) { return join_rows<reduction::add>("col_sum", x); }
template <class X>
requires is_of_rows<X>
constexpr auto col_max(const X& x) { return join_rows<reduction::max>("col_max", x); }
template <class X>
requires is_of_rows<X>
constexpr auto col_min(const X& x) { return join_rows<reduction::min>("col_min", x); }

}  // namespace sectile
