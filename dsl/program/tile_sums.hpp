// Sums of a tile that are to be summed on over the tiles of other CTAs, in one order: which elements of the vector a
// lane has the tile's number of.
//
// In which order a tile's number is made is a part of the kernel's order of sums. Along rows a thread adds its own
// elements in ascending order of their columns, then lanes join that are 1 and 2 apart; the four lanes of a quad then
// take turns with its rows. Along columns a thread adds its own in ascending order of their rows, then lanes join that
// are 16, 8 and 4 apart, as combine() has them (vector_outputs.hpp), then the warps of the consumers in ascending
// order, which show each other theirs in shared memory (col_reductions.hpp); a thread looks at one column alone, or as
// many as there are for each thread. A number of the whole tile is made of its rows' and then of their column. What
// lies outside of the work's tensor counts as 0.
#pragma once
#include <sectile/dsl/program/all_rows.hpp>
#include <sectile/dsl/program/vector_outputs.hpp>

namespace sectile {

/// A lane's numbers: of which element of the vector's part each is, if it `has` one. In all tiles the same lane of the
/// same warp has the same elements.
template <int N>
struct lane_share {
  static constexpr int count = N;
  float number[N]{};
  int element[N]{};
  bool has[N]{};

  /// Number i is `x`, of element `at`, if it is `mine`.
  constexpr void keep(int i, float x, int at, bool mine) {
    number[i] = mine ? x : number[i];
    element[i] = mine ? at : element[i];
    has[i] = has[i] || mine;
  }
};

/// A thread's row number `n`, counted as its registers are: two of each 64 rows.
constexpr int row_from_first(int first, int n) { return first + 64 * (n / 2) + 8 * (n % 2); }

/// A quad's lanes have all of its rows' numbers: each lane keeps those whose turn it is.
template <class Reading, class R, class Rows>
constexpr auto deal(Reading& sm, const row_vector<R, Rows>& x) {
  constexpr int rows = row_vector<R, Rows>::numbers;
  lane_share<(rows + 3) / 4> own{};
  if constexpr (R::computes) {
    const coord first = sm.template coord_of<Rows::extent>(0, 0);
    SECTILE_UNROLL for (int n = 0; n < rows; ++n) {
      const bool mine = first.col / 2 == n % 4;
      own.keep(n / 4, x.value[n / 2][n % 2], row_from_first(first.row, n), mine);
    }
  }
  return own;
}
/// All warps have all columns' numbers, and their quads' lanes two of each eight: an octet of lanes for each group.
template <class Reading, class R, class Cols>
constexpr auto deal(Reading& sm, const col_vector<R, Cols>& x) {
  constexpr int groups = col_vector<R, Cols>::pairs, octets = 8 * 4 * R::sharers;
  lane_share<2 * ((groups + octets - 1) / octets)> own{};
  if constexpr (R::computes) {
    const coord first = first_place(sm);
    const int octet = 8 * sm.warp_of_consumers() + first.row % 8;
    SECTILE_UNROLL for (int n = 0; n < 2 * groups; ++n) {
      const int g = n / 2, at = 2 * (g / octets) + n % 2;
      own.keep(at, x.value[g][n % 2], first.col + 8 * g + n % 2, octet == g % octets);
    }
  }
  return own;
}

/// The numbers of a fragment's rows, of what is inside.
template <class Reading, class R, class Rows, class Cols>
constexpr row_vector<R, Rows> add_rows(Reading& sm, const fragment<R, float, Rows, Cols>& x) {
  row_vector<R, Rows> y{x.reading};
  if constexpr (R::computes) {
    const int cols = sm.template left_of_work<Cols::name>();
    SECTILE_UNROLL for (int m = 0; m < x.atoms; ++m) {
      combine_own<reduction::add>(sm, y.value[m], x, m, cols);
      for (float& sum : y.value[m]) sum = join_lanes<reduction::add, 1, 2>(sm.hw, sum);
    }
  }
  return y;
}
template <class Reading, class X>
constexpr const X& add_rows(Reading&, const X& x) {  // which have been added
  return x;
}

/// What a thread has of eight groups of columns from group `from` on, of the rows that are inside.
template <class Reading, class R, class Rows, class Cols>
constexpr void add_own(Reading& sm, float (&sum)[8][2], const fragment<R, float, Rows, Cols>& x, int from) {
  const int rows = sm.template left_of_work<Rows::name>(), first = sm.template coord_of<Rows::extent>(0, 0).row;
  SECTILE_UNROLL for (int i = 0; i < 16 && from + i / 2 < Cols::extent / 8; ++i)
    SECTILE_UNROLL for (int n = 0; n < 2 * x.atoms; ++n) {
      const float own = x.atom[n / 2][4 * (from + i / 2) + 2 * (n % 2) + i % 2];
      const float more = counted<reduction::add>(own, row_from_first(first, n) < rows);
      sum[i / 2][i % 2] = n == 0 ? more : sm.hw.add(sum[i / 2][i % 2], more);
    }
}
/// Each warp shows all others its sums of x's columns: an octet's lanes those of a group each.
template <class Reading, class R, class Rows, class Cols>
constexpr void show_sums(Reading& sm, const fragment<R, float, Rows, Cols>& x) {
  const coord first = first_place(sm);
  const int octet = first.row % 8;
  sm.begin_showing(Cols::extent);
  SECTILE_UNROLL for (int from = 0; from < Cols::extent / 8; from += 8) {
    float sum[8][2]{};
    if constexpr (R::computes) {
      add_own(sm, sum, x, from);
      share_groups<reduction::add, 4>(sm.hw, sum, octet);
    }
    if (from + octet < Cols::extent / 8) sm.show_columns(0, first.col + 8 * (from + octet), sum[0]);
  }
  sm.end_showing();
}
/// The sums of columns, one after the other as threads are.
template <class Reading, class R, class Rows, class Cols>
constexpr auto share_columns(Reading& sm, const fragment<R, float, Rows, Cols>& x) {
  constexpr int threads = 128 * R::sharers;
  lane_share<(Cols::extent + threads - 1) / threads> own{};
  if constexpr (is_planner<R>) sm.exchanges(Cols::extent);
  if constexpr (exchanges_columns<R>) {
    show_sums(sm, x);
    if constexpr (R::computes) {
      const coord first = first_place(sm);
      const int thread = 32 * sm.warp_of_consumers() + 4 * (first.row % 8) + first.col / 2;
      SECTILE_UNROLL for (int i = 0; i < own.count; ++i) {
        const int at = thread + threads * i;
        const bool mine = at < Cols::extent;
        own.keep(i, number_of_warps(sm, mine ? at : 0, sum_of_two{}), at, mine);
      }
    } else {
      float four[4]{};
      sm.column_shown(0, 0, 0, four);
    }
  }
  return own;
}

/// One number of all rows' numbers, or columns', which lane 0 of warp 0 keeps.
template <class Reading, class R, class Line, bool OfRows>
constexpr lane_share<1> share_all(Reading& sm, line_vector<R, Line, OfRows> of_line) {
  lane_share<1> own{};
  if constexpr (R::computes) {
    const int inside = sm.template left_of_work<Line::name>();
    const coord first = sm.template coord_of < OfRows ? Line::extent : 64 * R::sharers > (0, 0);
    SECTILE_UNROLL for (int n = 0; n < of_line.numbers; ++n) {
      const int at = OfRows ? row_from_first(first.row, n) : first.col + 8 * (n / 2) + n % 2;
      float& sum = of_line.value[n / 2][n % 2];
      sum = counted<reduction::add>(sum, at < inside);
    }
  }
  const auto all = join_rows("combine", of_line, sum_of_two{});
  if constexpr (R::computes) {
    const coord first = first_place(sm);
    own.keep(0, all.value[0][0], 0, leads_columns(sm, first) && first.col == 0);
  }
  return own;
}

/// A lane's share of the numbers that x has for the elements which it meets as Use says.
template <vector_use Use, class Reading, class X>
constexpr auto share_sums(Reading& sm, const X& x) {
  if constexpr (Use == vector_use::all)
    return share_all(sm, add_rows(sm, x));
  else if constexpr (kind_of_value<X> == value_kind::cols)
    return deal(sm, x);
  else if constexpr (Use == vector_use::rows)
    return deal(sm, add_rows(sm, x));
  else
    return share_columns(sm, x);
}

}  // namespace sectile
