// Reductions of each row by a function of the program's own, and the place of its largest or its least element.
//
// A row of a fragment is spread over the four lanes of a quad: lane q holds columns 8g + 2q and 8g + 2q + 1 of every
// group g of eight. Each thread takes its own elements in ascending order; then lanes whose numbers differ in the last
// bit exchange what they have, then those that differ in the one before. This tree is the same on every machine, and
// the function is given the lower lane's number first, so all four lanes come to the same bits, whatever it is. It
// joins columns that are no neighbours: it must be commutative as well as associative.
#pragma once
#include <sectile/dsl/program/functions.hpp>

namespace sectile {

// ---- any function

/// `call`: row_reduce, or col_reduce.
constexpr violation check_reduce(const char* call, const described& x, const function_facts& f) {
  const sentence form = sentence{} << call << "(x, f)";
  if (!x.is_sums()) return check_reduction(form.text, x);
  const sentence right = sentence{} << call << "(x, [](float a, float b) { return ..; })";
  return check_function(form.text, right.text, f, true);
}
/// Of anything else.
template <class... X>
constexpr violation check_reduce(const char* call) {
  return refuse(rule::values_do_not_combine, call, "() takes a fragment and a function of two of its numbers: ", call,
                "(x, [](float a, float b) { return ..; })");
}

/// What lanes `apart` from each other have of the same rows, or columns.
template <class Line>
constexpr Line exchanged(const Line& x, int apart) {
  Line y{x.reading};
  SECTILE_UNROLL for (int n = 0; n < Line::numbers; ++n) y.value[n / 2][n % 2] =
      x.reading->hw.shuffle_xor(x.value[n / 2][n % 2], apart);
  return y;
}

/// f of all numbers of each row of x, two at a time, as the tree above has them. f is commutative and associative.
template <class X, class F>
requires(body_value<X> || staged_or_known<X>) constexpr auto row_reduce(const X& x, const F& f) {
  constexpr violation v = check_reduce("row_reduce", describe<X>(), function_facts_of<float, F, float, float>());
  static_assert(decltype(reason<v>())::verified);
  const auto join = [&](auto& hw, float a, float b) { return as_float(ask(hw, f, a, b)); };
  if constexpr (v.holds() && kind_of_value<X> == value_kind::fragment)
    follow<float, float>("row_reduce(x, f)", *x.reading, f);
  if constexpr (v.holds() && kind_of_value<X> == value_kind::fragment && swaps_in_registers<X>) {
    const auto y = fold_columns("row_reduce", x, join);
    if constexpr (is_watched<typename X::reading_type>) follow_order("row_reduce", x, f);
    return y;
  } else if constexpr (v.holds() && kind_of_value<X> == value_kind::fragment) {
    using reading = typename X::reading_type;
    x.touch();
    if constexpr (is_planner<reading>) x.reading->reduces();
    row_vector<reading, typename X::row_extent> y{x.reading};
    y = collect("row_reduce", y, [&](auto& hw, int block, int entry) {
      float all = number_at(x, block, entry);
      SECTILE_UNROLL for (int i = entry + 1; i < X::atom_registers; ++i) {
        if (row_half(i) == row_half(entry)) all = join(hw, all, number_at(x, block, i));
      }
      return all;
    });
    if constexpr (reading::computes && reading::knows_places) {
      if constexpr (is_watched<reading>) {
        follow_order("row_reduce", x, f);
        for (int n = 0; n < y.numbers; ++n) follow_own_row("row_reduce", x, n, y.value[n / 2][n % 2], join);
      }
      const auto edge = told_edge<true>(x, join);
      observe_numbers(x.reading->hw, &y.value[0][0], y.numbers, edge.line(0));
      const int place = x.reading->template coord_of<X::rows>(0, 0).col / 2;  // in the quad
      for (int apart = 1; apart <= 2; apart *= 2) {
        const bool upper = (place & apart) != 0;
        const auto other = exchanged(y, apart);
        y = collect("row_reduce", y, [&](auto& hw, int block, int entry) {
          const float mine = number_at(y, block, entry), theirs = number_at(other, block, entry);
          return join(hw, upper ? theirs : mine, upper ? mine : theirs);
        });
      }
      if constexpr (is_watched<reading>)
        for (int n = 0; n < y.numbers; ++n) follow_quad(x.reading->hw, "row_reduce", n, y.value[n / 2][n % 2], join);
    }
    return y;
  } else {
    return refused(x);
  }
}

template <class... X>
requires(body_value<X> || ...) constexpr refused_value row_reduce(const X&... x) {
  static_assert(decltype(reason<check_reduce<X...>("row_reduce")>())::verified);
  return refused(x...);
}

// ---- the place of the largest, and of the least

/// The column of an element that is not there.
inline constexpr s32 no_column = 2147483647;

/// A number and its column. What is not there is a NaN in no column.
struct placed_number {
  float value = __builtin_nanf("");
  s32 column = no_column;
};

/// Whether one number goes before another: it is larger (or smaller), or the other one is a NaN and it is none.
template <bool Largest>
constexpr bool goes_before(float x, float y) {
  const bool beyond = Largest ? x > y : x < y, number = x == x, none = y != y;
  return beyond | (number & none);  // nothing branches
}
/// Of two elements the one that goes before, of equals the one in the lower column. As all elements of a row are in
/// some order by this, it does not matter which of them meet first.
template <bool Largest>
constexpr placed_number first_of(const placed_number& a, const placed_number& b) {
  const bool before = goes_before<Largest>(a.value, b.value), after = goes_before<Largest>(b.value, a.value);
  const bool lower = b.column < a.column, second = after | (!before & lower);
  return {second ? b.value : a.value, second ? b.column : a.column};
}

template <class R, class Rows>
constexpr placed_number element_of_row(const placed_rows<R, Rows>& x, int m, int h) {
  return {x.value.value[m][h], x.column.value[m][h]};
}
template <class R, class Rows>
constexpr void put_element(placed_rows<R, Rows>& x, int m, int h, const placed_number& element) {
  x.value.value[m][h] = element.value;
  x.column.value[m][h] = element.column;
}

/// Of each row of x the element that goes before all others. x is the tile `at`; elements from column `columns` of the
/// matrix on do not count.
template <bool Largest, class R, class Rows, class Cols>
constexpr placed_rows<R, Rows> find_in_rows(const fragment<R, float, Rows, Cols>& x,
                                            mask_place<fragment<R, float, Rows, Cols>> at, int columns) {
  using type = fragment<R, float, Rows, Cols>;
  constexpr const char* what = Largest ? "row_argmax" : "row_argmin";
  follow_place(what, x, at);
  if constexpr (follows_places<R>) follow_count(what, x, columns);
  const int tile = at.col, first = tile * type::cols, left = columns - first;
  note_picked(x);
  x.touch();
  if constexpr (is_planner<R>) x.reading->reduces();
  placed_rows<R, Rows> y{{x.reading}, {x.reading}};
  if constexpr (R::computes && R::knows_places) {
    auto& hw = x.reading->hw;
    SECTILE_UNROLL for (int m = 0; m < type::atoms; ++m) {
      // Columns are counted from the thread's first one: so far they are constants.
      const int own = x.reading->template coord_of<Rows::extent>(m, 0).col;
      float best[2];
      int column[2];
      for (int h = 0; h < 2; ++h) best[h] = __builtin_nanf(""), column[h] = no_column;
      SECTILE_UNROLL for (int i = 0; i < type::atom_registers; ++i) {
        const int behind = x.reading->template coord_of<Rows::extent>(m, i).col - own, h = row_half(i);
        const float number = number_at(x, m, i);
        const bool inside = behind < left - own, better = behind == 0 || goes_before<Largest>(number, best[h]);
        const bool found = inside & better;
        best[h] = found ? number : best[h];
        column[h] = found ? behind : column[h];
      }
      for (int h = 0; h < 2; ++h) {
        placed_number mine{best[h], column[h] == no_column ? no_column : first + own + column[h]};
        if constexpr (is_watched<R>) observe_block(x, m);
        for (int apart = 1; apart <= 2; apart *= 2) {
          const float value = hw.shuffle_xor(mine.value, apart);
          const float bits = hw.shuffle_xor(__builtin_bit_cast(float, mine.column), apart);
          mine = first_of<Largest>(mine, {value, __builtin_bit_cast(s32, bits)});
        }
        if constexpr (is_watched<R>) follow_first(x, std::bool_constant<Largest>{}, h, tile, columns, mine);
        put_element(y, m, h, mine);
      }
    }
  }
  return y;
}

/// Whether X is tiles<"N">(C), as it is.
template <class X>
inline constexpr bool counts_tiles = false;
template <mode_id M, hangs_on On>
inline constexpr bool counts_tiles<tile_number<M, On>> = true;
/// Whether X says how many columns a matrix has.
template <class X, class Cols>
inline constexpr bool counts_columns = staged_or_known<X> && !counts_tiles<X> && alike(Cols::name, mode_of<X>);

/// The largest element of each row of x and its column in the whole matrix, in which x is the tile `at` in units of its
/// own shape, as for mask(). Elements from column `columns` on do not count: a tile that hangs over the edge has zeros
/// there. Of equal ones it is the first; a number goes before a NaN. In a row without an element that counts: a NaN,
/// and no_column. (auto: so that a compiler looks into it where the call stands, before what is done with the result.)
template <class R, class Rows, class Cols, class Columns>
requires(swaps_in_plan<R> || counts_columns<Columns, Cols>) constexpr auto row_argmax(
    const fragment<R, float, Rows, Cols>& x, mask_place<fragment<R, float, Rows, Cols>> at, const Columns& columns) {
  static_assert(decltype(rows_are_rows<R>())::verified);
  if constexpr (swaps_in_plan<R>)
    return refused_place{refused(x)};
  else
    return find_in_rows<true>(x, at, plain_int(columns));
}
/// The least one likewise.
template <class R, class Rows, class Cols, class Columns>
requires(swaps_in_plan<R> || counts_columns<Columns, Cols>) constexpr auto row_argmin(
    const fragment<R, float, Rows, Cols>& x, mask_place<fragment<R, float, Rows, Cols>> at, const Columns& columns) {
  static_assert(decltype(rows_are_rows<R>())::verified);
  if constexpr (swaps_in_plan<R>)
    return refused_place{refused(x)};
  else
    return find_in_rows<false>(x, at, plain_int(columns));
}

constexpr violation check_row_place(const char* form, const described& x, bool given, mode_id columns, bool tiles) {
  if (x.is_sums() && x.swapped) return check_swap("the place of an element in its row", true);
  if (!x.is_sums()) return check_reduction(form, x);
  const mode_text mode = text_of(x.facts.col_mode());
  const char* along = said_mode(mode);
  if (!given)
    return refuse(rule::say_how_many_columns_there_are, form,
                  ": beyond the edge a tile has zeros; say how many columns the matrix has: size<\"", along, "\">(C)");
  if (tiles && alike(x.facts.col_mode(), columns))
    return refuse(rule::say_how_many_columns_there_are, form, ": columns is a number of tiles along ", along,
                  ", and what stands behind it does not count; elements are size<\"", along, "\">(C)");
  if (alike(x.facts.col_mode(), columns)) return {};
  return refuse(rule::coordinate_is_along_another_mode, form, ": columns counts along ",
                columns == mode_id::mixed ? "several modes" : text_of(columns).text, ", those of x are along ", along,
                ": size<\"", along, "\">(C)");
}
/// In place of how many columns there are.
struct not_said {};
template <bool Largest, class X, class Columns = not_said>
constexpr violation no_place() {
  return check_row_place(Largest ? "row_argmax(x, {m, n}, columns)" : "row_argmin(x, {m, n}, columns)", describe<X>(),
                         staged_or_known<Columns>, mode_of<Columns>, counts_tiles<Columns>);
}
template <class X, class Columns>
requires(body_value<X> || staged_or_known<X>) constexpr refused_place
    row_argmax(const X& x, mask_place<X>, const Columns&) {
  static_assert(decltype(reason<no_place<true, X, Columns>()>())::verified);
  return {refused(x)};
}
template <class X, class Columns>
requires(body_value<X> || staged_or_known<X>) constexpr refused_place
    row_argmin(const X& x, mask_place<X>, const Columns&) {
  static_assert(decltype(reason<no_place<false, X, Columns>()>())::verified);
  return {refused(x)};
}
template <body_value X>
constexpr refused_place row_argmax(const X& x, mask_place<X> = {0, 0}) {
  static_assert(decltype(reason<no_place<true, X>()>())::verified);
  return {refused(x)};
}
template <body_value X>
constexpr refused_place row_argmin(const X& x, mask_place<X> = {0, 0}) {
  static_assert(decltype(reason<no_place<false, X>()>())::verified);
  return {refused(x)};
}

/// An element of each row out of those that two parts of it have: the larger one, or the smaller, by the same rule.
template <bool Largest, class R, class Rows>
constexpr placed_rows<R, Rows> first_of_rows(const placed_rows<R, Rows>& x, const placed_rows<R, Rows>& y) {
  placed_rows<R, Rows> z = x;
  use_line(y.value), use_line(y.column);
  if constexpr (R::computes)
    for (int m = 0; m < z.value.pairs; ++m)
      for (int h = 0; h < 2; ++h)
        put_element(z, m, h, first_of<Largest>(element_of_row(x, m, h), element_of_row(y, m, h)));
  return z;
}
template <class R, class Rows>
constexpr placed_rows<R, Rows> max(const placed_rows<R, Rows>& x, const placed_rows<R, Rows>& y) {
  return first_of_rows<true>(x, y);
}
template <class R, class Rows>
constexpr placed_rows<R, Rows> min(const placed_rows<R, Rows>& x, const placed_rows<R, Rows>& y) {
  return first_of_rows<false>(x, y);
}

/// Indices of rows as numbers, rounded to nearest even.
template <class T, class R, class Rows>
requires std::is_same_v<T, float>
constexpr row_vector<R, Rows> cast(const row_vector<R, Rows, s32>& x) {
  use_line(x);
  row_vector<R, Rows> y{x.reading};
  if constexpr (R::computes)
    for (int m = 0; m < y.pairs; ++m)
      for (int h = 0; h < 2; ++h) y.value[m][h] = x.reading->hw.to_float(x.value[m][h]);
  return y;
}

}  // namespace sectile
