// Row and column vectors: one number per row, or per column, of a fragment. They come of reductions (rows.hpp,
// col_reductions.hpp), and meet fragments.
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

/// One number for each row, or each column, of a fragment, of f32; or, of s32, the index of something. Of rows a thread
/// holds two for each m64 block: register i of the block belongs to number row_half(i). Of columns it holds two of each
/// group of eight, which are in registers 4g + j and 4g + 2 + j of every block.
template <class R, class Line, bool OfRows, class T = float>
struct SECTILE_RESULT line_vector {
  using reading_type = R;
  static constexpr int pairs = OfRows ? Line::extent / 64 / R::sharers : Line::extent / 8, numbers = 2 * pairs;
  /// The first of the registers that number `n` belongs to: value[n / 2][n % 2].
  static constexpr register_place place(int n) {
    return OfRows ? register_place{n / 2, 2 * (n % 2)} : register_place{0, 4 * (n / 2) + n % 2};
  }
  R* reading;
  T value[pairs < 1 ? 1 : pairs][2]{};

  constexpr line_vector(R* by) : reading(by) { begin_in_trip(*this); }
  constexpr line_vector(const line_vector& x) : reading(x.reading) { copy_numbers(x, *this); }
  constexpr line_vector& operator=(const line_vector& x) {
    overwrite(*this);
    copy_numbers(x, *this);
    wait_for_use(*this);
    return *this;
  }
  template <class X>
  constexpr line_vector& operator=(const X& x) {
    static_assert(decltype(reason<no_rows<line_vector, X>()>())::verified);
    refused(*this, x);
    return *this;
  }
  constexpr operator float() const {
    static_assert(decltype(reason<no_use<asked_for::number, line_vector>()>())::verified);
    return refused(*this);
  }
  static constexpr no_member<asked_for::total, line_vector, typename R::kernel> total{};
  template <class I>
  constexpr auto operator[](const I&) const {
    static_assert(decltype(reason<no_use<asked_for::element, line_vector>()>())::verified);
    return refused(*this);
  }
};
template <class R, class Rows, class T = float>
using row_vector = line_vector<R, Rows, true, T>;
template <class R, class Cols>
using col_vector = line_vector<R, Cols, false>;

}  // namespace sectile
