// The mean and the variance of a block's numbers by one exchange between warps.
//
// A variance needs distances from the mean, and the mean of all numbers is known when all warps have shown theirs: two
// exchanges, one behind the other, for which each warp waits. But the distances may be from any number near the mean.
// So each warp takes those from its own mean, which its lanes find out by shuffles, and shows both: its mean, and the
// sum of the squares. What all have shown makes the mean and the variance (Chan, Golub and LeVeque, 1983): of warps
// with as many numbers each, the variance is the mean of theirs and the variance of their means.
#pragma once
#include <sectile/dsl/program/all_rows.hpp>
#include <sectile/dsl/program/functions.hpp>

namespace sectile {

/// What center() leaves: `off` is to be taken from each number of the block, and what remains is its distance from the
/// mean; `variance` is the mean of the squares of these. Both are numbers that all rows have.
template <class Numbers>
struct centered {
  Numbers off, variance;
};

/// What the threads of a warp have of a block, where registers hold the transpose: one number, as `f` joins it with
/// those that a thread has.
template <class X, class F>
constexpr float fold_warp(const X& x, F f) {
  auto& hw = x.reading->hw;
  float of[4]{};  // chains that do not wait for each other, of a thread's columns and rows
  SECTILE_UNROLL for (int i = 0; i < X::atom_registers; ++i) {
    SECTILE_UNROLL for (int m = 0; m < X::atoms; ++m) {
      of[i % 4] = f(hw, of[i % 4], number_at(x, m, i), m == 0 && i < 4);
    }
  }
  float all = hw.add(hw.add(of[0], of[1]), hw.add(of[2], of[3]));
  for (int apart = 1; apart <= 16; apart *= 2) all = hw.add(all, hw.shuffle_xor(all, apart));
  return all;
}

/// How many of a block's numbers warp `warp` of those that share it in CTA `cta` has, where rows have `columns` and
/// there are `rows` of them. (Of 64 columns each warp has 16.)
template <class X>
constexpr int numbers_of_warp(int cta, int warp, int rows, int columns) {
  using R = typename X::reading_type;
  const int left = columns - cta * X::rows - warp / 4 * (X::rows / R::sharers);
  const int blocks = left < 0 ? 0 : left / 64 < X::atoms ? left / 64 : X::atoms;
  const int rest = blocks < X::atoms ? left - 64 * blocks - 16 * (warp % 4) : 0;
  return (16 * blocks + (rest < 0 ? 0 : rest < 16 ? rest : 16)) * rows;
}

/// The mean of all warps' numbers and their variance, of what they have shown: shown(cta, first warp, of) are the means
/// and the sums of squares of four.
struct mean_and_variance {
  float mean, variance;
};
template <class X, class Shown>
constexpr mean_and_variance join_warps(const X& x, bool whole, int rows, int columns, Shown shown) {
  using R = typename X::reading_type;
  auto& hw = x.reading->hw;
  constexpr int warps = 4 * R::sharers, all = R::exchanging_ctas * warps;
  constexpr float each = X::rows / warps * X::cols;
  const auto joined = [&](const float(&a)[4]) { return hw.add(hw.add(a[0], a[1]), hw.add(a[2], a[3])); };
  if (whole) [[likely]] {
    float mean[all]{}, sum[4]{}, squares[4]{}, between[4]{};
    SECTILE_UNROLL for (int n = 0; n < all; n += 4) {
      float of[2][4]{};
      shown(n / warps, n % warps, of);
      for (int i = 0; i < 4; ++i) {
        mean[n + i] = of[0][i];
        sum[i] = n == 0 ? of[0][i] : hw.add(sum[i], of[0][i]);
        squares[i] = n == 0 ? of[1][i] : hw.add(squares[i], of[1][i]);
      }
    }
    const float middle = hw.multiply(joined(sum), 1.0f / all);
    SECTILE_UNROLL for (int n = 0; n < all; ++n) {
      const float off = hw.subtract(mean[n], middle);
      between[n % 4] = n < 4 ? hw.multiply(off, off) : hw.fma(off, off, between[n % 4]);
    }
    return {middle, hw.multiply(hw.fma(joined(between), each, joined(squares)), 1.0f / (each * all))};
  }
  // f(a warp's mean, its squares, how many numbers it has) of all warps, in their order.
  const auto for_each_warp = [&](auto f) {
    for (int n = 0; n < all; n += 4) {
      float of[2][4]{};
      shown(n / warps, n % warps, of);
      for (int i = 0; i < 4; ++i)
        f(of[0][i], of[1][i], static_cast<float>(numbers_of_warp<X>(n / warps, n % warps + i, rows, columns)));
    }
  };
  const auto count = static_cast<float>(rows * columns);
  float middle = 0, squares = 0;
  for_each_warp([&](float mean, float, float its) { middle = hw.fma(its, mean, middle); });
  middle = hw.divide(middle, count);
  for_each_warp([&](float mean, float own, float its) {
    const float off = hw.subtract(mean, middle);
    squares = hw.add(squares, hw.fma(hw.multiply(off, off), its, own));
  });
  return {middle, hw.divide(squares, count)};
}

/// Takes `near` from x, and gives the sum of the squares of what becomes of a warp's numbers.
template <class X>
constexpr float shift_block(X& x, float near) {
  auto& hw = x.reading->hw;
  SECTILE_UNROLL for (int m = 0; m < X::atoms; ++m) {
    SECTILE_UNROLL for (int i = 0; i < X::atom_registers; ++i) { x.atom[m][i] = hw.subtract(x.atom[m][i], near); }
  }
  return fold_warp(x, [](auto& h, float all, float a, bool begins) { return begins ? h.multiply(a, a) : h.fma(a, a, all); });
}
/// The same where some of the numbers are none of a row's: they become zeros.
template <class X>
constexpr float shift_block(X& x, float near, int rows, int columns) {
  auto& hw = x.reading->hw;
  SECTILE_UNROLL for (int m = 0; m < X::atoms; ++m) {
    SECTILE_UNROLL for (int i = 0; i < X::atom_registers; ++i) {
      const coord at = x.reading->template coord_of<X::rows>(m, i);
      const bool inside = at.row < columns && at.col < rows;
      x.atom[m][i] = inside ? hw.subtract(x.atom[m][i], near) : 0.0f;
    }
  }
  return shift_block(x, 0.0f);
}

/// Whether they say how many rows a block has, and how many numbers a row.
template <class X, class Height, class Width>
inline constexpr bool counts_block =
    counts_columns<Height, std::conditional_t<X::reading_type::swaps, typename X::col_extent, typename X::row_extent>>&&
        counts_columns<Width,
                       std::conditional_t<X::reading_type::swaps, typename X::row_extent, typename X::col_extent>>;
/// The model reports more of either than the matrix has: zeros behind them would count.
template <class X>
constexpr void follow_block([[maybe_unused]] const X& x, [[maybe_unused]] int rows, [[maybe_unused]] int columns) {
  if constexpr (follows_places<typename X::reading_type>) {
    constexpr std::bool_constant<X::reading_type::swaps> turned{};
    follow_count("center", x, columns, std::bool_constant<!turned>{});
    follow_count("center", x, rows, turned);
  }
}

/// Moves the numbers of a block, in a tile as sm.wide_block_of() has them, to about their mean: what is left to take
/// from them, and their variance. The block has `rows` rows of `columns` numbers; what the tile has beyond them does
/// not count. With all numbers reduced twice, for their mean and for the squares of (x - mean), warps wait for each
/// other twice; here once.
template <class R, class Rows, class Cols, class Height, class Width>
requires(counts_block<fragment<R, float, Rows, Cols>, Height, Width>&& R::swaps &&
         (!R::computes || exchanges_columns<R>)) constexpr auto center(fragment<R, float, Rows, Cols>& x,
                                                                       const Height& rows, const Width& columns) {
  using type = fragment<R, float, Rows, Cols>;
  constexpr int shown_columns = 8;  // the fewest that are exchanged; each quad shows both numbers in the first two
  follow_block(x, plain_int(rows), plain_int(columns));
  x.touch();
  if constexpr (is_planner<R>) x.reading->reduces_along(Rows::name);
  if constexpr (is_planner<R>) x.reading->exchanges(shown_columns);
  centered<col_vector<R, Cols>> y{{x.reading}, {x.reading}};
  float near = 0, squares = 0;
  [[maybe_unused]] bool whole = true;
  if constexpr (R::computes) {
    auto& hw = x.reading->hw;
    constexpr float count = Rows::extent / (4 * R::sharers) * Cols::extent;
    constexpr int ctas = R::exchanging_ctas;
    whole = plain(rows) == Cols::extent && plain(columns) == Rows::extent * ctas;
    near = fold_warp(x, [](auto& h, float all, float a, bool begins) { return begins ? a : h.add(all, a); });
    const int cta = ctas > 1 ? x.reading->col_in_cluster : 0, height = plain(rows), width = plain(columns);
    if (whole) [[likely]] {
      near = hw.multiply(near, 1.0f / count);
      squares = shift_block(x, near);
    } else {
      const int mine = numbers_of_warp<type>(cta, x.reading->warp_of_consumers(), height, width);
      near = mine > 0 ? hw.divide(near, static_cast<float>(mine)) : 0.0f;
      squares = shift_block(x, near, height, width - cta * Rows::extent);
    }
    const float told[2] = {near, squares};
    observe_numbers(hw, told, 2);
  }
  if constexpr (exchanges_columns<R>) {
    auto& sm = *x.reading;
    [[maybe_unused]] const coord first = show_pair(sm, shown_columns, {near, squares});
    if constexpr (R::computes) {
      const mean_and_variance all =
          join_warps(x, whole, plain(rows), plain(columns), [&](int cta, int warp, float(&of)[2][4]) {
            for (int pair = 0; pair < 2; ++pair) sm.column_shown(cta, warp, first.col + pair, of[pair]);
          });
      if constexpr (is_watched<R>) follow_warps(x, whole, plain(rows), plain(columns), all);
      const float off = sm.hw.subtract(all.mean, near);
      for (int n = 0; n < y.off.numbers; ++n) {
        y.off.value[n / 2][n % 2] = off;
        y.variance.value[n / 2][n % 2] = all.variance;
      }
    } else {
      float four[4]{};
      sm.column_shown(0, 0, 0, four);
    }
  }
  become_one_number(y.off);
  become_one_number(y.variance);
  return y;
}

/// The same by two reductions, where registers hold rows as the body has them, or no warps show each other columns.
template <class R, class Rows, class Cols, class Height, class Width>
requires(counts_block<fragment<R, float, Rows, Cols>, Height, Width> &&
         (!R::swaps || (R::computes && !exchanges_columns<R>))) constexpr auto center(fragment<R, float, Rows, Cols>& x,
                                                                                      const Height& rows,
                                                                                      const Width& columns) {
  follow_block(x, plain_int(rows), plain_int(columns));
  const auto part = 1.0f / (rows * columns);
  const auto mean = col_sum(row_sum(x)) * part;
  x -= mean;
  if constexpr (R::computes && R::knows_places)
    for (int m = 0; m < x.atoms; ++m)
      for (int i = 0; i < x.atom_registers; ++i) {
        const coord held = x.reading->template coord_of<Rows::extent>(m, i);
        const coord at = R::swaps ? coord{held.col, held.row} : held;
        if (at.row >= plain(rows) || at.col >= plain(columns)) x.atom[m][i] = 0;
      }
  const auto variance = col_sum(row_sum(x * x)) * part;
  return centered<std::remove_const_t<decltype(mean)>>{mean * 0.0f, variance};
}

}  // namespace sectile
