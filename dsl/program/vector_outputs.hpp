// What threads write element by element: rows' numbers into a vector, and fragments combined along rows, columns or
// both.
//
// In the layout of sums (see layouts/fragment.hpp) the four lanes of a quad hold one row, and the eight lanes with the
// same place in their quads hold one column. So a row's numbers meet in two exchanges between lanes, a column's in
// three. Each warp then combines what it has with the number in memory: several warps and CTAs may meet there, and no
// thread waits for another.
//
// Nothing branches on where an element is: what lies outside of the tensor becomes the reduction's identity, and what
// is not to be written is predicated off. A branch would make ptxas serialise products that are in flight.
#pragma once
#include <sectile/dsl/program/functions.hpp>

#include <sectile/dsl/program/col_reductions.hpp>
#include <sectile/dsl/program/reduction.hpp>

namespace sectile {

/// What a vector that is combined into takes of a value: a number for each row, for each column, or one of all.
constexpr vector_use use_of_output(const operand_facts& v, const described& x) {
  const vector_use use = use_of_vector(v, x);
  return use == vector_use::none && has_one_number(v) ? vector_use::all : use;
}

/// Lane 0 of a quad writes for it: its first register is of the fragment's first columns.
constexpr bool leads_quad(const coord& first) { return first.col == 0; }
/// Of all threads that have a column's number, which all warps have.
template <class Reading>
constexpr bool leads_columns(const Reading& sm, const coord& first) {
  return sm.warp_of_consumers() == 0 && first.row % 8 == 0;
}
/// Lane 0 of a warp: a warp's rows begin at a multiple of 16.
constexpr bool leads_warp(const coord& first) { return first.col == 0 && first.row % 16 == 0; }

/// The bits of an element of T that x is rounded to; an index is an element of s32 as it is.
template <class T, class Machine, class X>
constexpr std::uint32_t bits_of_element(Machine& hw, X x) {
  if constexpr (std::is_same_v<T, X>)
    return __builtin_bit_cast(std::uint32_t, x);
  else
    return pack<T>(hw, x, 0.0f);
}

/// put(i, number, leads) of each number that a thread has: of element `i`, which one of those that have it is to write.
template <class Reading, class R, class Rows, class T, class Put>
constexpr void for_each_number(Reading& sm, const row_vector<R, Rows, T>& x, Put put) {
  SECTILE_UNROLL for (int m = 0; m < x.pairs; ++m) for (int h = 0; h < 2; ++h) {
    const coord p = sm.template coord_of<Rows::extent>(m, 2 * h);
    put(p.row, x.value[m][h], leads_quad(p));
  }
}
template <class Reading, class R, class Cols, class Put>
constexpr void for_each_number(Reading& sm, const col_vector<R, Cols>& x, Put put) {
  const coord first = first_place(sm);
  const bool leads = leads_columns(sm, first);
  SECTILE_UNROLL for (int n = 0; n < x.numbers; ++n) put(first.col + 8 * (n / 2) + n % 2, x.value[n / 2][n % 2], leads);
}

/// Each row's number, or each column's, becomes an element of `to`.
template <class Reading, class T, class X>
constexpr void write_numbers(Reading& sm, const vector_part<T>& to, const X& x) {
  for_each_number(sm, x, [&](int i, auto number, bool leads) {
    sm.hw.template store_global<sizeof(T)>(to.first + i, bits_of_element<T>(sm.hw, number), leads && i < to.inside);
  });
}

/// Each is combined with an element of `to`.
template <reduction How, class Reading, class X>
constexpr void combine_numbers(Reading& sm, const vector_part<float>& to, const X& x) {
  for_each_number(sm, x, [&](int i, float own, bool leads) {
    const float number = join<How>(sm.hw, identity_of(How), own);  // in memory a NaN would win
    join_in_memory<How>(sm.hw, to.first + i, number, leads && i < to.inside);
  });
}

/// x, or the identity where an element lies outside of the work's tensor.
template <reduction How>
constexpr float counted(float x, bool inside) {
  return inside ? x : identity_of(How);
}

/// All lanes of a warp get what they have in common with the lanes `First`, 2 * `First` .. `Last` apart.
template <reduction How, int First, int Last, class Machine>
constexpr float join_lanes(Machine& hw, float x) {
  x = join<How>(hw, x, hw.shuffle_xor(x, First));
  if constexpr (First < Last)
    return join_lanes<How, 2 * First, Last>(hw, x);
  else
    return x;
}

/// What a thread has of the two rows that it holds of block `m`: `cols` of their columns are inside.
template <reduction How, class Reading, class R, class Rows, class Cols>
constexpr void combine_own(Reading& sm, float (&of_row)[2], const fragment<R, float, Rows, Cols>& x, int m, int cols) {
  const int first = sm.template coord_of<Rows::extent>(m, 0).col, left = cols - first;
  for (float& sum : of_row) sum = identity_of(How);
  SECTILE_UNROLL for (int i = 0; i < x.atom_registers; ++i) {
    const coord p = sm.template coord_of<Rows::extent>(m, i);
    float& sum = of_row[row_half(i)];
    sum = join<How>(sm.hw, sum, counted<How>(x.atom[m][i], p.col - first < left));  // a constant is compared
  }
}

/// The numbers of each row become one: an element of `to` for each row.
template <reduction How, class Reading, class R, class Rows, class Cols>
constexpr void combine_along_rows(Reading& sm, const vector_part<float>& to, const fragment<R, float, Rows, Cols>& x) {
  const int cols = sm.template left_of_work<Cols::name>();
  SECTILE_UNROLL for (int m = 0; m < x.atoms; ++m) {
    float of_row[2];
    combine_own<How>(sm, of_row, x, m, cols);
    for (int h = 0; h < 2; ++h) {
      const coord p = sm.template coord_of<Rows::extent>(m, 2 * h);
      join_in_memory<How>(sm.hw, to.first + p.row, join_lanes<How, 1, 2>(sm.hw, of_row[h]),
                          leads_quad(p) && p.row < to.inside);
    }
  }
}

/// Eight groups of two columns, of which eight lanes hold a part each: lane number `octet` of them gets group `octet`
/// complete. In each of three steps a lane gives half of its groups away for its partner's part of the others.
template <reduction How, int Half, class Machine>
constexpr void share_groups(Machine& hw, float (&group)[8][2], int octet) {
  const bool upper = (octet & Half) != 0;
  SECTILE_UNROLL for (int g = 0; g < Half; ++g)
    for (int j = 0; j < 2; ++j) {
      const float kept = upper ? group[g + Half][j] : group[g][j], given = upper ? group[g][j] : group[g + Half][j];
      group[g][j] = join<How>(hw, kept, hw.shuffle_xor(given, 4 * Half));
    }
  if constexpr (Half > 1) share_groups<How, Half / 2>(hw, group, octet);
}

/// The numbers of each column become one: an element of `to` for each column.
template <reduction How, class Reading, class R, class Rows, class Cols>
constexpr void combine_along_columns(Reading& sm, const vector_part<float>& to,
                                     const fragment<R, float, Rows, Cols>& x) {
  constexpr int groups = Cols::extent / 8;  // of registers: four each
  const int rows = sm.template left_of_work<Rows::name>();
  const coord first = sm.template coord_of<Rows::extent>(0, 0);
  const int octet = first.row % 8;
  SECTILE_UNROLL for (int from = 0; from < groups; from += 8) {
    float sum[8][2];
    SECTILE_UNROLL for (int g = 0; g < 8; ++g)
      for (int j = 0; j < 2; ++j) {
        sum[g][j] = identity_of(How);
        SECTILE_UNROLL for (int n = 0; from + g < groups && n < 2 * x.atoms; ++n) {
          const int m = n / 2, i = 4 * (from + g) + 2 * (n % 2) + j;
          const coord p = sm.template coord_of<Rows::extent>(m, i);
          sum[g][j] = join<How>(sm.hw, sum[g][j], counted<How>(x.atom[m][i], p.row < rows));
        }
      }
    share_groups<How, 4>(sm.hw, sum, octet);
    for (int j = 0; j < 2; ++j) {
      const int col = first.col + 8 * (from + octet) + j;
      join_in_memory<How>(sm.hw, to.first + col, sum[0][j], col < Cols::extent && col < to.inside);
    }
  }
}

/// All numbers of a fragment become one.
template <reduction How, class Reading, class R, class Rows, class Cols>
constexpr void combine_all(Reading& sm, const vector_part<float>& to, const fragment<R, float, Rows, Cols>& x) {
  const int rows = sm.template left_of_work<Rows::name>(), cols = sm.template left_of_work<Cols::name>();
  float all = identity_of(How);
  SECTILE_UNROLL for (int m = 0; m < x.atoms; ++m) {
    float of_row[2];
    combine_own<How>(sm, of_row, x, m, cols);
    for (int h = 0; h < 2; ++h) {
      const coord p = sm.template coord_of<Rows::extent>(m, 2 * h);
      all = join<How>(sm.hw, all, counted<How>(of_row[h], p.row < rows));
    }
  }
  join_in_memory<How>(sm.hw, to.first, join_lanes<How, 1, 16>(sm.hw, all),
                      leads_warp(sm.template coord_of<Rows::extent>(0, 0)) && to.inside > 0);
}
/// The same of rows' numbers, or of columns'.
template <reduction How, class Reading, class R, class Line, bool OfRows>
constexpr void combine_all(Reading& sm, const vector_part<float>& to, const line_vector<R, Line, OfRows>& x) {
  const int inside = sm.template left_of_work<Line::name>();
  float all = identity_of(How);
  for_each_number(sm, x, [&](int at, float own, bool) { all = join<How>(sm.hw, all, counted<How>(own, at < inside)); });
  all = join_lanes < How, OfRows ? 4 : 1, OfRows ? 16 : 2 > (sm.hw, all);
  const coord first = first_place(sm);
  const bool leads = OfRows ? leads_warp(first) : leads_columns(sm, first) && first.col == 0;
  join_in_memory<How>(sm.hw, to.first, all, leads && to.inside > 0);
}

/// Says that values become elements of operand I, which they meet as Use says.
template <int I, vector_use Use>
struct written_as {};

/// x is combined into the part `to` of a vector of which x meets what Use says.
template <reduction How, vector_use Use, class Reading, class X>
constexpr void combine_into(Reading& sm, const vector_part<float>& to, const X& x) {
  if constexpr (Use == vector_use::all)
    combine_all<How>(sm, to, x);
  else if constexpr (is_line(describe<X>()))
    combine_numbers<How>(sm, to, x);
  else if constexpr (Use == vector_use::rows)
    combine_along_rows<How>(sm, to, x);
  else
    combine_along_columns<How>(sm, to, x);
}

}  // namespace sectile
