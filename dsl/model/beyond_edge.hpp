// What a reduction makes of elements that are not there.
//
// A tile at the edge of a matrix has elements where the matrix has none. TMA brings zeros there, and products of zeros
// are zeros; but functions make of them what they make of any zero: exp(0) is 1, and a row's sum of exponentials is
// wrong unless the body masks its tile; and 0 is larger than what is below it. So each thread reduces its own numbers
// once more without those beyond the edge. A sum is another one as soon as a thread's part of it is. Of anything else
// that is known when all parts have met: threads tell what they have made without the edge with what they exchange
// (observed_numbers.hpp).
#pragma once
#include <sectile/dsl/model/factor_places.hpp>
#include <sectile/dsl/model/watched_numbers.hpp>

namespace sectile::model {

template <class Join>
inline constexpr bool joins_to_sum = std::is_same_v<Join, joining<reduction::add>> || std::is_same_v<Join, sum_of_two>;

/// Whether X is a factor in registers whose elements may be infinite, or no numbers.
template <class X>
inline constexpr bool is_floating_factor = [] {
  if constexpr (requires { X::atom_registers; } && !is_widened<X>)
    return element_of<typename X::element_type>().kind == number::floating;
  else
    return false;
}();
/// Element number `part` of a word of packed ones.
template <class T>
constexpr float element_in(std::uint32_t word, int part) {
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(float, word);
  else if constexpr (sizeof(T) == 2)
    return static_cast<float>(__builtin_bit_cast(T, static_cast<std::uint16_t>(word >> 16 * part)));
  else
    return static_cast<float>(__builtin_bit_cast(T, static_cast<std::uint8_t>(word >> 8 * part)));
}

/// element(number, its row, its column) of each element that this thread has of row number `n` of x, or of a column.
template <bool OfRow, class X, class Element>
constexpr void for_each_of_line(const X& x, int n, Element element) {
  constexpr int count = OfRow ? X::atom_registers / 2 : 2 * X::atoms;
  const int first_row = x.reading->share() * (X::rows / X::reading_type::sharers);
  for (int j = 0; j < count; ++j) {
    const int m = (OfRow ? n : j) / 2, i = 4 * ((OfRow ? j : n) / 2) + 2 * ((OfRow ? n : j) % 2) + (OfRow ? j : n) % 2;
    const coord at = d_coord(x.reading->hw.thread() % warpgroup_threads, i);
    element(number_at(x, m, i), first_row + m * 64 + at.row, at.col);
  }
}

/// Where x lies along its columns, or its rows.
template <bool Cols, class X>
constexpr stretch stretch_along(const X& x) {
  const stretch known = Cols ? x.place.cols : x.place.rows;
  if (known.first != stretch::nowhere) return known;
  return place_in_work<Cols, std::conditional_t<Cols, typename X::col_extent, typename X::row_extent>>(*x.reading);
}

/// What becomes of the rows of x (or its columns), each joined to a number, without what is not there.
template <bool OfRows, class X, class Join>
struct edge_of_lines {
  using extent = std::conditional_t<OfRows, typename X::col_extent, typename X::row_extent>;
  static constexpr auto mode = text_of(extent::name);
  static constexpr int count = OfRows ? 2 * X::atoms : X::atom_registers / 2;
  edge_number number[count]{};
  bool hangs_over = false;

  constexpr edge_of_lines(const X& x, Join join) {
    const stretch along = stretch_along<OfRows>(x), across = stretch_along<!OfRows>(x);
    auto& hw = x.reading->hw;
    hangs_over = along.is_known() && along.first + extent::extent > along.size && hw.looks_at_numbers() &&
                 x.reading->is_of_use();
    if (!hangs_over) return;
    for (int n = 0; n < count; ++n) {
      edge_number& its = number[n];
      its.mode = mode.text;
      its.size = along.size;
      own_numbers all(hw, join), within(hw, join);
      for_each_of_line<OfRows>(x, n, [&](float a, int row, int col) {
        const std::int64_t at = along.first + (OfRows ? col : row);
        if (across.is_known() && across.first + (OfRows ? row : col) >= across.size)
          return;  // a line that is not there
        all.add(a);
        if (at < along.size)
          within.add(a);
        else if (its.at < 0)
          its.at = at, its.beyond = a;
      });
      its.all = all.all, its.within = within.all;
      its.any = within.any || joins_to_sum<Join>;  // a sum of none is 0
    }
  }
  constexpr const edge_number* line(int n) const { return hangs_over ? number + n : nullptr; }
};
/// What is told with numbers that are exchanged: of a sum nothing, as each thread finds out about its own part.
template <class X, class Join, bool OfRows>
constexpr auto edge_to_tell(const X& x, Join join, std::bool_constant<OfRows>) {
  if constexpr (joins_to_sum<Join>)
    return no_edge{};
  else
    return edge_of_lines<OfRows, X, Join>(x, join);
}

/// Looks at the rows (or the columns) of x, which are to be summed.
template <class X, class Join, bool OfRows>
constexpr void follow_edge(const char* what, const X& x, Join join, std::bool_constant<OfRows>) {
  if constexpr (joins_to_sum<Join>) {
    const edge_of_lines<OfRows, X, Join> edge(x, join);
    for (int n = 0; n < edge.count && edge.hangs_over; ++n)
      follow_edge_number(x.reading->hw, what, true, edge.number[n]);
  }
}

/// Looks at a factor in registers. Beyond the edge of what is summed over the other factor has zeros, and 0 times
/// infinity is no number: none of the product's row would be one. Nothing is said of a row that is not there, or of
/// which the thread has other than finite numbers before the edge as well, or none. (The product before may still be
/// at work on the same registers, so to look at them is no access.)
template <bool Cols, class X>
constexpr void follow_factor(const X& x) {
  using T = typename X::element_type;
  constexpr int bits = element_of<T>().bits, parts = 32 / bits;
  const stretch along = Cols ? x.place.cols : x.place.rows, across = Cols ? x.place.rows : x.place.cols;
  auto& hw = x.reading->hw;
  if (!along.is_known() || along.first + (Cols ? X::cols : X::rows) <= along.size || !hw.looks_at_numbers() ||
      !x.reading->is_of_use())
    return;
  const auto for_each = [&](auto f) {
    for (int m = 0; m < X::atoms; ++m)
      for (int n = 0; n < X::atom_registers * parts; ++n) {
        const int i = n / parts, part = n % parts;
        const coord at = a_coord(bits, hw.thread() % warpgroup_threads, i % 4, part);
        const int row = x.reading->share() * (X::rows / X::reading_type::sharers) + m * 64 + at.row;
        const int col = i / 4 * (256 / bits) + at.col;
        f(Cols ? row : col, along.first + (Cols ? col : row), element_in<T>(x.atom[m].storage()[i], part));
      }
  };
  bool finite[Cols ? X::rows : X::cols]{}, other[Cols ? X::rows : X::cols]{};  // numbers before the edge
  for_each([&](int line, std::int64_t at, float a) {
    if (at < along.size) (a - a == 0 ? finite : other)[line] = true;
  });
  for_each([&](int line, std::int64_t at, float a) {
    if (at >= along.size && a - a != 0 && finite[line] && !other[line] &&
        !(across.is_known() && across.first + line >= across.size))
      hw.observe_infinite(at, along.size, a);
  });
}
/// The same of both factors, if they are in registers.
template <class A, class B>
constexpr void follow_factors(const A& a, const B& b) {
  if constexpr (is_floating_factor<A>) follow_factor<true>(a);
  if constexpr (is_floating_factor<B>) follow_factor<false>(b);
}

}  // namespace sectile::model
