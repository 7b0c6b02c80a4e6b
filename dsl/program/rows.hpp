// The largest, the least and the sum of each row of a fragment. What other functions make of a row is in
// row_reductions.hpp.
//
// In wgmma's accumulator layout four neighbouring lanes share a row, and a thread holds two rows of each m64 block. A
// sum over a row is therefore first a sum over the thread's own registers; the exchange with the three other lanes can
// wait until the number is needed. `partial_rows` is such an unfinished sum: it can be scaled and added to, and becomes
// a row vector when it is used as one, so that a running sum pays for one exchange instead of one per step.
//
// Where the configuration swaps, registers hold the transpose: a row of the body is a column there, and all threads
// have a part of it. Its numbers are a column vector's, and are reduced as columns are (col_reductions.hpp).
#pragma once
#include <sectile/dsl/program/columns.hpp>
#include <sectile/dsl/program/loaded_vector.hpp>
#include <sectile/dsl/program/observed_numbers.hpp>
#include <sectile/dsl/program/reduction.hpp>

namespace sectile {

/// Register i of an accumulator block belongs to the thread's upper (0) or lower (1) row (facts of the D fragment:
/// row = 16 * warp + lane / 4 + 8 * ((i >> 1) & 1)).
constexpr int row_half(int i) { return (i >> 1) & 1; }

/// An element of each row: its number, and its column in the whole matrix.
template <class R, class Rows>
struct SECTILE_RESULT placed_rows {
  row_vector<R, Rows> value;
  row_vector<R, Rows, s32> column;

  template <class X>
  constexpr placed_rows& operator=(const X& x) {
    static_assert(decltype(reason<no_rows<placed_rows, X>()>())::verified);
    refused(*this, x);
    return *this;
  }
  constexpr operator float() const {
    static_assert(decltype(reason<no_use<asked_for::number, placed_rows>()>())::verified);
    return refused(*this);
  }
};

/// A number for each row, as a fragment's rows are held.
template <class R, class Rows>
using row_numbers = std::conditional_t<R::swaps, col_vector<R, Rows>, row_vector<R, Rows>>;

/// How a reduction of rows is called, and what it does to two numbers.
template <reduction How>
inline constexpr const char* said_reduction = How == reduction::max   ? "row_max"
                                              : How == reduction::min ? "row_min"
                                                                      : "row_sum";
template <reduction How>
struct joining {
  template <class Machine>
  constexpr float operator()(Machine& hw, float a, float b) const {
    return join<How>(hw, a, b);
  }
};

/// What becomes of lines of x without the elements that are not there, told with what lanes exchange: line(n) of each.
struct no_edge {
  static constexpr const edge_number* line(int) { return nullptr; }
};
template <bool OfRows, class X, class Join>
constexpr auto told_edge([[maybe_unused]] const X& x, [[maybe_unused]] Join join) {
  if constexpr (is_watched<typename X::reading_type>)
    return edge_to_tell(x, join, std::bool_constant<OfRows>{});
  else
    return no_edge{};
}

/// What the four lanes of a quad have in common, of which `x` is this one's part.
template <class Machine, class Join>
constexpr float join_quad(const char* what, Machine& hw, float x, Join join, const edge_number* edge = nullptr) {
  observe_numbers(hw, &x, 1, edge);
  for (int apart = 1; apart <= 2; apart *= 2) x = join(hw, x, hw.shuffle_xor(x, apart));
  if constexpr (follows_numbers<Machine>) follow_quad(hw, what, 0, x, join);
  return x;
}

/// What is to become one number of each row, of which each thread has that of its own part: a quarter, or less where
/// registers hold the transpose. A loop that goes on from `share` asks the other threads when it is over.
template <class R, class Rows, reduction How = reduction::add>
struct SECTILE_RESULT partial_rows {
  row_numbers<R, Rows> share;

  template <class X>
  constexpr partial_rows& operator=(const X& x) {
    static_assert(decltype(reason<no_rows<partial_rows, X>()>())::verified);
    refused(*this, x);
    return *this;
  }
  constexpr operator float() const {
    static_assert(decltype(reason<no_use<asked_for::number, partial_rows>()>())::verified);
    return refused(*this);
  }

  /// Of all threads' parts.
  constexpr row_numbers<R, Rows> total() const {
    row_numbers<R, Rows> t = share;
    if constexpr (R::swaps) {
      t = join_threads(said_reduction<How>, share, joining<How>{});
    } else if constexpr (R::computes) {
      for (auto& atom : t.value)
        for (float& x : atom) x = join_quad(said_reduction<How>, t.reading->hw, x, joining<How>{});
    }
    return t;
  }
};
template <class R, class Rows>
using partial_max = partial_rows<R, Rows, reduction::max>;

/// The sum of a row, if four lanes hold parts of it; other values as they are.
template <class X>
constexpr const X& complete(const X& x) {
  return x;
}
template <class R, class Rows, reduction How>
constexpr row_numbers<R, Rows> complete(const partial_rows<R, Rows, How>& x) {
  return x.total();
}

/// Whether X are rows' numbers, finished or not, in the registers that hold them.
template <class X>
inline constexpr bool is_of_rows = false;
template <class R, class Rows>
inline constexpr bool is_of_rows<row_vector<R, Rows>> = true;
template <class R, class Cols>
inline constexpr bool is_of_rows<col_vector<R, Cols>> = R::swaps;
template <class R, class Rows, reduction How>
inline constexpr bool is_of_rows<partial_rows<R, Rows, How>> = true;

/// Of zeros that no product has overwritten a sum is what sums begin with; the largest says nothing of the numbers that
/// are still to come.
template <class X>
constexpr void note_picked(const X& x) {
  if constexpr (is_planner<typename X::reading_type>)
    if (x.fresh)
      x.reading->note_meaningless(
          "row_max() or its like of an accumulator that has no product yet, all zeros: begin with the numbers of the "
          "first trip, and loop over the others; zeros that are meant are row_sum(x).total()");
}
/// The largest or the smallest number of each row of x.
template <reduction How, class R, class Rows, class Cols>
constexpr row_vector<R, Rows> pick_of_rows(const fragment<R, float, Rows, Cols>& x) {
  const joining<How> pick{};
  x.touch();
  if constexpr (is_planner<R>) x.reading->reduces();
  row_vector<R, Rows> y{x.reading};
  if constexpr (R::computes) {
    auto& hw = x.reading->hw;
    const auto edge = told_edge<true>(x, pick);
    for (int m = 0; m < x.atoms; ++m) {
      for (int h = 0; h < 2; ++h) y.value[m][h] = x.atom[m][2 * h];
      for (int i = 0; i < x.atom_registers; ++i) {
        float& best = y.value[m][row_half(i)];
        best = pick(hw, best, x.atom[m][i]);
      }
      for (int h = 0; h < 2; ++h) {
        float& best = y.value[m][h];
        if constexpr (is_watched<R>) follow_own_row(said_reduction<How>, x, 2 * m + h, best, pick);
        best = join_quad(said_reduction<How>, hw, best, pick, edge.line(2 * m + h));
      }
    }
  }
  return y;
}
/// The largest and the smallest number of each row of x; a number goes before a NaN.
template <class R, class Rows, class Cols>
constexpr auto row_max(const fragment<R, float, Rows, Cols>& x) {
  note_picked(x);
  if constexpr (R::swaps)
    return fold_columns("row_max", x, joining<reduction::max>{});
  else
    return pick_of_rows<reduction::max>(x);
}
template <class R, class Rows, class Cols>
constexpr auto row_min(const fragment<R, float, Rows, Cols>& x) {
  note_picked(x);
  if constexpr (R::swaps)
    return fold_columns("row_min", x, joining<reduction::min>{});
  else
    return pick_of_rows<reduction::min>(x);
}

/// What each thread has of each row of x. (Where registers hold rows, from `start` on.)
template <reduction How, class R, class Rows, class Cols>
constexpr auto parts_of_rows(const char* what, const fragment<R, float, Rows, Cols>& x, float start) {
  if constexpr (R::swaps) {
    return partial_rows<R, Cols, How>{fold_own(what, x, joining<How>{})};
  } else {
    x.touch();
    if constexpr (is_planner<R>) x.reading->reduces();
    partial_rows<R, Rows, How> y{{x.reading}};
    if constexpr (is_watched<R>) follow_edge(what, x, joining<How>{}, std::true_type{});
    if constexpr (R::computes)
      for (int m = 0; m < x.atoms; ++m) {
        for (float& all : y.share.value[m]) all = start;
        for (int i = 0; i < x.atom_registers; ++i) {
          float& all = y.share.value[m][row_half(i)];
          all = join<How>(x.reading->hw, all, x.atom[m][i]);
        }
        if constexpr (is_watched<R>)
          for (int h = 0; h < 2; ++h) follow_own_row(what, x, 2 * m + h, y.share.value[m][h], joining<How>{}, start);
      }
    return y;
  }
}
/// The largest number of each row of x so far as each thread knows it: a finite one, also where it has no part or all
/// are -infinity.
template <class R, class Rows, class Cols>
constexpr auto unfinished_row_max(const fragment<R, float, Rows, Cols>& x) {
  constexpr float lowest = -0x1.fffffep127f;
  note_picked(x);
  auto y = parts_of_rows<reduction::max>("row_max", x, lowest);
  if constexpr (R::swaps) y.share = max(y.share, lowest);
  return y;
}
/// The sum of each row of x, exchanged between threads only when it is used as a row vector.
template <class R, class Rows, class Cols>
constexpr auto row_sum(const fragment<R, float, Rows, Cols>& x) {
  return parts_of_rows<reduction::add>("row_sum", x, 0.0f);
}

/// Whether a vector has a number for each row of the output's tiles, or for each column.
template <class K, int I>
constexpr bool is_along(bool rows) {
  constexpr operand_facts v = operand_facts_of<K, I>(), work = operand_facts_of<K, work_operand<K>>();
  return rows ? v.col_mode() == work.row_mode() && v.cols() == work.rows()
              : v.col_mode() == work.col_mode() && v.cols() == work.cols();
}
/// A vector's numbers in registers, one for each row or each column of the output's tiles: all are read here, so that
/// nothing waits for them where they are needed.
template <class R, int I>
requires(is_along<typename R::kernel, I>(true) ||
         is_along<typename R::kernel, I>(false)) constexpr auto in_registers(const loaded_vector<R, I>& v) {
  constexpr operand_facts f = operand_facts_of<typename R::kernel, I>();
  using line = along<f.cols(), f.col_mode()>;
  constexpr bool as_rows = is_along<typename R::kernel, I>(true) != R::swaps;
  using result = std::conditional_t<as_rows, row_vector<R, line>, col_vector<R, line>>;
  result y{v.reading};
  if constexpr (R::computes && !as_rows && loaded_vector<R, I>::run > 0) {
    float of_run[loaded_vector<R, I>::runs]{};
    v.read_runs(of_run);
    SECTILE_UNROLL for (int n = 0; n < result::numbers; ++n) y.value[n / 2][n % 2] =
        of_run[n / (loaded_vector<R, I>::run / 4)];
  } else if constexpr (R::computes)
    SECTILE_UNROLL for (int n = 0; n < result::numbers; ++n) {
      const register_place at = result::place(n);
      if constexpr (as_rows)
        y.value[n / 2][n % 2] = v.template of_row<line::extent>(at.block, at.entry);
      else
        y.value[n / 2][n % 2] = v.template of_col<loaded_vector<R, I>::block_rows>(at.block, at.entry);
    }
  v.end_reading();
  return y;
}

}  // namespace sectile
