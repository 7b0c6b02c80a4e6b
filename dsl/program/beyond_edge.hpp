// What a sum makes of elements that are not there: on the model alone.
//
// A tile at the edge of a matrix has elements where the matrix has none. TMA brings zeros there, and products of zeros
// are zeros; but functions make of them what they make of any zero: exp(0) is 1, and a row's sum of exponentials is
// wrong unless the body masks its tile. So each thread sums its own numbers once more without those beyond the edge,
// and tells where that makes a difference. (Of a maximum nothing is said: zeros may be harmless there, as in a softmax
// whose exponentials are masked.)
#pragma once
#include <sectile/dsl/program/observed_numbers.hpp>
#include <sectile/dsl/program/reduction.hpp>

namespace sectile {

template <reduction How>
struct joining;
struct sum_of_two;
template <class Join>
inline constexpr bool joins_to_sum = std::is_same_v<Join, joining<reduction::add>> || std::is_same_v<Join, sum_of_two>;

/// The sum of some numbers, and of those among them that the matrix has.
template <class Machine>
struct sum_with_and_without {
  Machine& hw;
  float all = 0, within = 0, beyond = 0;  // the first one that is not there,
  std::int64_t at = -1;                   // and its place along the mode

  constexpr void add(float x, std::int64_t place, std::int64_t size) {
    all = hw.add(all, x);
    if (place < size) {
      within = hw.add(within, x);
    } else if (at < 0) {
      beyond = x;
      at = place;
    }
  }
  constexpr bool differ() const {
    const bool both_nan = all != all && within != within;
    return at >= 0 && all != within && !both_nan;
  }
};

/// Looks at the rows (or the columns) of x, which are to be joined to a number each.
template <bool AlongCols, class X, class Join>
constexpr void follow_edge(const char* what, const X& x, Join) {
  using reading = typename X::reading_type;
  using machine = std::remove_cvref_t<decltype(x.reading->hw)>;
  if constexpr (follows_numbers<machine> && joins_to_sum<Join>) {
    using extent = std::conditional_t<AlongCols, typename X::col_extent, typename X::row_extent>;
    auto& hw = x.reading->hw;
    stretch p = AlongCols ? x.place.cols : x.place.rows;
    if (p.first == stretch::nowhere) p = x.reading->template place_in_work<AlongCols, extent>();
    if (!p.is_known() || p.first + extent::extent <= p.size) return;
    if (!hw.looks_at_numbers() || !x.reading->is_of_use()) return;
    const int first_row = x.reading->share() * (X::rows / reading::sharers);
    const auto look = [&](int from, int to, auto takes) {
      sum_with_and_without<machine> numbers{hw};
      for (int m = from; m < to; ++m)
        for (int i = 0; i < X::atom_registers; ++i) {
          const coord at = d_coord(hw.thread() % warpgroup_threads, i);
          if (takes(i))
            numbers.add(number_at(x, m, i), p.first + (AlongCols ? at.col : first_row + m * 64 + at.row), p.size);
        }
      if (numbers.differ()) hw.observe_beyond(what, text_of(extent::name).text, numbers.at, p.size, numbers.beyond);
    };
    beside(hw, [&] {
      if constexpr (AlongCols) {
        for (int m = 0; m < X::atoms; ++m)
          for (int half = 0; half < 2; ++half) look(m, m + 1, [&](int i) { return (i >> 1 & 1) == half; });
      } else {
        for (int group = 0; group < X::atom_registers / 4; ++group)
          for (int odd = 0; odd < 2; ++odd) look(0, X::atoms, [&](int i) { return i / 4 == group && i % 2 == odd; });
      }
      return 0;
    });
  }
}

}  // namespace sectile
