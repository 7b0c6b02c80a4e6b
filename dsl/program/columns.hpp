// Column vectors: one number per column of a fragment. They come of reductions (col_reductions.hpp), and meet fragments
// as row vectors do.
#pragma once
#include <sectile/dsl/program/one_number.hpp>
#include <sectile/dsl/program/tile.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile {

/// A register of a fragment: entry `entry` of block `block`.
struct register_place {
  int block, entry;
};
/// Where a thread begins in its tile: the row and column of its first register.
template <class Reading>
constexpr coord first_place(const Reading& sm) {
  return sm.template coord_of<64 * Reading::sharers>(0, 0);
}

/// The numbers of a row or column vector. One by one: where a loop hands on a vector that is copied as bytes, nvcc keeps
/// the whole reading in local memory, and a kernel takes four times as long.
template <class Line>
constexpr Line& copy_numbers(const Line& from, Line& to) {
  use_line(from);
  SECTILE_UNROLL for (int n = 0; n < Line::numbers; ++n) to.value[n / 2][n % 2] = from.value[n / 2][n % 2];
  begin_in_trip(to);
  return to;
}

/// One number for each column of a fragment. A thread holds those of its two columns of each group of eight, which are
/// in registers 4g + j and 4g + 2 + j of every block.
template <class R, class Cols>
struct SECTILE_RESULT col_vector {
  using reading_type = R;
  static constexpr int groups = Cols::extent / 8, numbers = 2 * groups;
  /// The first of the registers that number `n` belongs to: value[n / 2][n % 2].
  static constexpr register_place place(int n) { return {0, 4 * (n / 2) + n % 2}; }
  R* reading;
  float value[groups][2]{};

  constexpr col_vector(R* by) : reading(by) { begin_in_trip(*this); }
  constexpr col_vector(const col_vector& x) : reading(x.reading) { copy_numbers(x, *this); }
  constexpr col_vector& operator=(const col_vector& x) {
    overwrite(*this);
    return copy_numbers(x, *this);
  }
  template <class X>
  constexpr col_vector& operator=(const X& x) {
    static_assert(decltype(reason<no_rows<col_vector, X>()>())::verified);
    refused(*this, x);
    return *this;
  }
  constexpr operator float() const {
    static_assert(decltype(reason<no_use<asked_for::number, col_vector>()>())::verified);
    return refused(*this);
  }
  constexpr auto total() const {
    static_assert(decltype(reason<no_use<asked_for::total, col_vector>()>())::verified);
    return refused(*this);
  }
  template <class I>
  constexpr auto operator[](const I&) const {
    static_assert(decltype(reason<no_use<asked_for::element, col_vector>()>())::verified);
    return refused(*this);
  }
};

}  // namespace sectile
