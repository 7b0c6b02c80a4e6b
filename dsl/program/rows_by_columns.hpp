// Rows' numbers times columns' numbers: a number for each element of a fragment, each in its place, of which registers
// hold rows and columns alone. Where the columns have few numbers, as those of blocks, a compiler makes each product
// once: a scale of rows and of blocks of columns costs a fragment no more than one of rows.
#pragma once
#include <sectile/dsl/program/cast.hpp>

namespace sectile {

/// A number for each row times one for each column, as registers hold both; made where it meets a fragment.
template <class Rows, class Cols>
struct SECTILE_RESULT rows_by_columns {
  using reading_type = typename Rows::reading_type;
  Rows rows;
  Cols cols;

  constexpr operator float() const {
    static_assert(decltype(reason<no_use<asked_for::number, rows_by_columns>()>())::verified);
    return refused(*this);
  }
};
template <class R, class Rows, class Cols>
struct value_facts<rows_by_columns<row_vector<R, Rows>, col_vector<R, Cols>>>
    : told_as<value_kind::outer, facts_of_registers<float, Rows, Cols>> {};
template <class R, class Rows, class Cols>
inline constexpr bool swaps_in_registers<rows_by_columns<row_vector<R, Rows>, col_vector<R, Cols>>> = R::swaps;

template <class Rows, class Cols>
constexpr float number_at(const rows_by_columns<Rows, Cols>& x, int m, int i) {
  if constexpr (rows_by_columns<Rows, Cols>::reading_type::computes)
    return x.rows.reading->hw.multiply(number_at(x.rows, m, i), number_at(x.cols, m, i));
  else
    return 0;
}
template <class R, class Rows, class Cols>
constexpr rows_by_columns<row_vector<R, Rows>, col_vector<R, Cols>> operator*(const row_vector<R, Rows>& rows,
                                                                              const col_vector<R, Cols>& cols) {
  return {rows, cols};
}
template <class R, class Rows, class Cols>
constexpr rows_by_columns<row_vector<R, Rows>, col_vector<R, Cols>> operator*(const col_vector<R, Cols>& cols,
                                                                              const row_vector<R, Rows>& rows) {
  return {rows, cols};
}

}  // namespace sectile
