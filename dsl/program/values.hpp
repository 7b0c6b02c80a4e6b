// What the values of a body are, told without their types: by this the language's operators find out whether values
// combine, and its refusals what to say.
#pragma once
#include <sectile/dsl/program/columns.hpp>
#include <sectile/dsl/program/handle.hpp>
#include <sectile/dsl/program/rows.hpp>

namespace sectile {

enum class value_kind : std::uint8_t {
  none,
  truth,
  number,
  refused,
  operand,
  tile,
  negated_tile,
  product,
  product_in_parts,
  fragment,
  rows,
  unfinished_rows,
  cols,
  indices,
  placed_rows,
  outer,  // rows' numbers times columns'
  vector
};

/// A number to ordinary code, or an element of a narrower type.
template <class X>
inline constexpr bool is_number = requires(const X& x) {
  static_cast<float>(x);
};

/// Of a transposed tile, and of a fragment where the configuration swaps.
constexpr operand_facts with_rows_and_columns_swapped(operand_facts f) {
  const int row = f.tile.rank - 2, col = f.tile.rank - 1;
  std::swap(f.tile.extent[row], f.tile.extent[col]);
  for (std::size_t i = 0; i < sizeof f.mode_name[0]; ++i) std::swap(f.mode_name[row][i], f.mode_name[col][i]);
  return f;
}

/// The facts of what registers hold.
template <class T, class Rows, class Cols = along<1>>
constexpr operand_facts facts_of_registers() {
  operand_facts f{.type = element_of<T>(), .tile = {2, {Rows::extent, Cols::extent}}};
  const mode_id names[] = {Rows::name, Cols::name};
  for (int d = 0; d < 2; ++d) {
    const mode_text t = text_of(names[d]);
    for (int i = 0; i < mode_letters; ++i) f.mode_name[d][i] = t.text[i];
  }
  return f;
}
constexpr operand_facts no_facts() { return {}; }
/// The facts of an operand.
template <class K, int I>
constexpr operand_facts declared_facts_of() {
  return facts_of_operand<K, I>;
}
/// The facts of a transposed tile.
template <class K, int I>
constexpr operand_facts transposed_facts_of() {
  return with_rows_and_columns_swapped(operand_facts_of<K, I>());
}

template <value_kind Kind, operand_facts (*Facts)() = no_facts>
struct told_as {
  static constexpr value_kind kind = Kind;
  static constexpr operand_facts facts = Facts();
};
/// What a value is, and the name to call it by: of its operand, or of its type.
template <class X>
struct value_facts : told_as<is_number<X> ? value_kind::number : value_kind::none> {};
template <class X>
struct value_facts<const X> : value_facts<X> {};
template <hangs_on On, mode_id Against>
struct value_facts<staged_condition<bool, On, Against>> : told_as<value_kind::truth> {};
template <>
struct value_facts<refused_value> : told_as<value_kind::refused> {};
template <>
struct value_facts<refused_place> : told_as<value_kind::refused> {};
template <class K, int I>
struct value_facts<operand_handle<K, I>> : told_as<value_kind::operand, declared_facts_of<K, I>> {};
template <class R, int I>
struct value_facts<loaded_tile<R, I>> : told_as<value_kind::tile, declared_facts_of<typename R::kernel, I>> {};
template <class R, int I>
struct value_facts<loaded_tile<R, I, true>> : told_as<value_kind::tile, transposed_facts_of<typename R::kernel, I>> {};
template <class R, int I>
struct value_facts<loaded_vector<R, I>> : told_as<value_kind::vector, declared_facts_of<typename R::kernel, I>> {};
template <class X>
struct value_facts<negated<X>> {
  static constexpr value_kind kind = value_kind::negated_tile;
  static constexpr operand_facts facts = value_facts<std::remove_cvref_t<X>>::facts;
};
template <class A, class B, product_form Form>
struct value_facts<tile_product<A, B, Form>> : told_as<value_kind::product> {};
template <class R, class T, class Rows, class Cols>
struct value_facts<fragment<R, T, Rows, Cols>> : told_as<value_kind::fragment, facts_of_registers<T, Rows, Cols>> {};
template <class R, class Rows>
struct value_facts<row_vector<R, Rows>> : told_as<value_kind::rows, facts_of_registers<float, Rows>> {};
template <class R, class Rows, reduction How>
struct value_facts<partial_rows<R, Rows, How>> : told_as<value_kind::unfinished_rows, facts_of_registers<float, Rows>> {
};
template <class R, class Cols>
struct value_facts<col_vector<R, Cols>> : told_as<value_kind::cols, facts_of_registers<float, along<1>, Cols>> {};
template <class R, class Rows>
struct value_facts<row_vector<R, Rows, s32>> : told_as<value_kind::indices, facts_of_registers<s32, Rows>> {};
template <class R, class Rows>
struct value_facts<placed_rows<R, Rows>> : told_as<value_kind::placed_rows, facts_of_registers<float, Rows>> {};
/// Whether x is in registers as the transpose of what the body sees.
template <class X>
inline constexpr bool swaps_in_registers = false;
template <class R, class T, class Rows, class Cols>
inline constexpr bool swaps_in_registers<fragment<R, T, Rows, Cols>> = R::swaps;
template <class R, class Line, bool OfRows, class T>
inline constexpr bool swaps_in_registers<line_vector<R, Line, OfRows, T>> = R::swaps;

template <class X>
inline constexpr value_kind kind_of_value = value_facts<X>::kind;
/// X is a value of a body, or a reference to one.
template <class X>
concept body_value = kind_of_value<std::remove_cvref_t<X>> > value_kind::number;

/// What a function of each element is called with, rightly or not: numbers that a run decides are none of its values,
/// and neither is the one element that a function given to map() has.
template <class X>
concept function_argument = body_value<X> || is_staged<X> || std::is_same_v < std::remove_cvref_t<X>,
float > ;

/// A value as an operator and a misuse see it.
struct described {
  value_kind kind = value_kind::none;
  operand_facts facts{};
  bool swapped = false;  // it is the transpose of what the body sees, as registers hold it

  constexpr operator said_part() const;  // see advice.hpp
  /// f32 in the order of sums, which ordinary instructions compute with.
  constexpr bool is_sums() const { return kind == value_kind::fragment && facts.type == element_of<float>(); }
  /// A tile that comes into registers in that order, as numbers.
  constexpr bool is_addend() const {
    return kind == value_kind::tile && !facts.sparse &&
           (facts.type == element_of<bf16>() || facts.type == element_of<f16>() || facts.type == element_of<float>());
  }
};
template <class X>
constexpr described describe() {
  return {value_facts<X>::kind, value_facts<X>::facts, swaps_in_registers<std::remove_const_t<X>>};
}
/// A tile as it meets fragments: where the configuration swaps, these hold transposes.
template <class X>
requires is_tile<X>::value constexpr described describe() {
  constexpr described x{value_kind::tile, value_facts<X>::facts};
  return {x.kind, X::swapped ? with_rows_and_columns_swapped(x.facts) : x.facts, X::swapped};
}
/// The value as the body sees it, which is what is said of it.
constexpr described as_in_the_body(described x) {
  if (!x.swapped) return x;
  const bool rows = x.kind == value_kind::cols;
  if (rows || x.kind == value_kind::rows) x.kind = rows ? value_kind::rows : value_kind::cols;
  return {x.kind, with_rows_and_columns_swapped(x.facts)};
}

/// What a vector is to the value that it meets: a number for each row, for each column, or one for all; or nothing.
enum class vector_use : std::uint8_t { none, rows, cols, all };
/// Whether v's mode is that of `met`'s rows as much as of its columns: a fragment along M x M, as the product of a tile
/// of X(M,K) and another one's transpose is.
constexpr bool is_along_rows_and_columns(const operand_facts& v, const described& met) {
  const mode_id own = v.tile.rank > 0 ? v.col_mode() : mode_id::any, rows = met.facts.row_mode(),
                cols = met.facts.col_mode();
  if (!met.is_sums() && !met.is_addend()) return false;
  if (own == mode_id::any || rows == mode_id::any || cols == mode_id::any) return false;
  return alike(own, rows) && alike(own, cols) && (own == rows) == (own == cols);
}
constexpr vector_use use_of_vector(const operand_facts& v, const described& met) {
  if (v.tile.rank == 0) return vector_use::all;
  const operand_facts& f = met.facts;
  const bool fits_rows = v.cols() == f.rows() && met.kind != value_kind::cols;
  const bool fits_cols = v.cols() == f.cols() && met.kind != value_kind::rows;
  if (is_along_rows_and_columns(v, met)) return vector_use::none;
  if (fits_rows && v.col_mode() == f.row_mode()) return vector_use::rows;
  if (fits_cols && v.col_mode() == f.col_mode()) return vector_use::cols;
  const bool one_way = !alike(f.row_mode(), f.col_mode());  // which of M x M' a vector goes along, its name says
  if (one_way && fits_rows && alike(v.col_mode(), f.row_mode())) return vector_use::rows;
  if (one_way && fits_cols && alike(v.col_mode(), f.col_mode())) return vector_use::cols;
  // Of a mode that the value lacks a tile has one element: a number for all of it, as a block's scale is.
  if (v.kind == operand_kind::vector && has_one_number(v)) return vector_use::all;
  return vector_use::none;
}

/// The values of one operation, in the order in which they are written.
struct described_values {
  static constexpr int most = 6;
  int count = 0;
  described at[most]{};

  constexpr bool has(value_kind k) const {
    for (int i = 0; i < count; ++i)
      if (at[i].kind == k) return true;
    return false;
  }
  /// The first of the largest values, which the others are spread over; nullptr: there are numbers and vectors only.
  constexpr const described* largest() const {
    const described* line = nullptr;  // rows, or columns
    for (const described& x : at) {
      if (x.is_sums() || x.is_addend()) return &x;
      if ((x.kind == value_kind::rows || x.kind == value_kind::cols) && !line) line = &x;
    }
    return line;
  }
  /// Whether they combine element by element: fragments of f32 and tiles of f32, bf16 or f16 in one shape along the
  /// same modes, rows of their rows, columns of their columns, vectors along one of their modes, and numbers. Without a
  /// fragment, rows or columns. M and M' are one mode where a whole tile is added up with others of its kind, as in a
  /// loop over M'; not for rows or columns, nor on both sides, which would be the transposed tile.
  constexpr bool combine() const {
    int rows = 0, cols = 0;  // none so far
    bool any_whole = false;
    const bool lines = has(value_kind::rows) || has(value_kind::cols);
    bool untold = false;  // one is along M x M, whose columns stand for those of M x M' as well
    for (int i = 0; i < count; ++i)
      untold = untold || ((at[i].is_sums() || at[i].is_addend()) && at[i].facts.row_mode() == at[i].facts.col_mode());
    mode_id row_mode = mode_id::any, col_mode = mode_id::any;
    for (int i = 0; i < count; ++i) {
      const described& x = at[i];
      if (x.kind == value_kind::number || x.kind == value_kind::vector) continue;
      const bool whole = x.is_sums() || x.is_addend() || x.kind == value_kind::outer;
      if (!whole && x.kind != value_kind::rows && x.kind != value_kind::cols) return false;
      if (x.kind != value_kind::cols) {
        if (rows > 0 && x.facts.rows() != rows) return false;
        if (!alike(x.facts.row_mode(), row_mode)) return false;
        if (differ_by_prime(x.facts.row_mode(), row_mode) && (lines || differ_by_prime(x.facts.col_mode(), col_mode)))
          return false;
        rows = x.facts.rows();
        row_mode = x.facts.row_mode();
      }
      if (x.kind == value_kind::rows) continue;
      any_whole = any_whole || x.is_sums() || x.is_addend();
      if (cols > 0 && x.facts.cols() != cols) return false;
      if (!alike(x.facts.col_mode(), col_mode)) return false;
      if (lines && !untold && differ_by_prime(x.facts.col_mode(), col_mode)) return false;
      cols = x.facts.cols();
      col_mode = x.facts.col_mode();
    }
    if (rows == 0 && cols == 0) return false;
    if (rows > 0 && cols > 0 && !any_whole) return false;
    for (int i = 0; i < count; ++i)
      if (at[i].kind == value_kind::vector && use_of_vector(at[i].facts, *largest()) == vector_use::none) return false;
    return true;
  }
};
template <class... X>
constexpr described_values describe_all() {
  return {sizeof...(X), {describe<X>()...}};
}
template <class... X>
inline constexpr bool values_combine = (body_value<X> || ...) && describe_all<X...>().combine();

}  // namespace sectile
