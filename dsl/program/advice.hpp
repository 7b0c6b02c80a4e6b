// What the sentences of misuse.hpp are made of: how a value of a body is named, and the one way out that each kind of
// value has.
#pragma once
#include <sectile/dsl/program/noted.hpp>
#include <sectile/dsl/program/values.hpp>

namespace sectile {

constexpr violation& operator<<(violation& v, const described& held) {
  // in the order of value_kind
  constexpr const char* names[] = {"something else",
                                   "a condition",
                                   "a number",
                                   "",
                                   "operand ",
                                   "a tile of ",
                                   "a negated factor",
                                   "a product",
                                   "a product in parts",
                                   "a fragment of ",
                                   "a number per row",
                                   "an unfinished row_sum()",
                                   "a number per column",
                                   "an index per row",
                                   "an element per row and its column",
                                   "numbers of rows times numbers of columns",
                                   "a part of "};
  const described x = as_in_the_body(held);
  v << names[static_cast<int>(x.kind)];
  if (x.kind == value_kind::operand || x.kind == value_kind::tile || x.kind == value_kind::vector) v << x.facts.name;
  if (x.kind == value_kind::fragment) v << x.facts.type.name << ", " << x.facts.rows() << " x " << x.facts.cols();
  return v;
}
/// Of what was refused nothing more is said.
constexpr described::operator said_part() const {
  return {*this, kind == value_kind::refused, [](violation& v, const described& x) -> violation& { return v << x; }};
}

// ---- one way out for each kind of value

constexpr bool is_one_of(const element& t, const auto&... types) { return ((t == types) || ...); }
/// Packed elements that have a way back to f32.
constexpr bool is_half(const element& t) { return is_one_of(t, element_of<f16>(), element_of<bf16>()); }
/// What is brought into registers and becomes numbers by cast.
constexpr bool is_cast_to_numbers(const element& t) {
  return is_half(t) || is_one_of(t, element_of<s32>(), element_of<e4m3>(), element_of<e5m2>(), element_of<s8>(),
                                 element_of<u8>(), element_of<s4x2>(), element_of<u4x2>());
}
/// What cast makes of f32 sums.
constexpr bool is_cast_from_sums(const element& t) {
  return is_half(t) || t == element_of<tf32>() ||
         is_one_of(t, element_of<e4m3>(), element_of<e5m2>(), element_of<s8>(), element_of<u8>());
}

/// What is left to do with packed elements that have no way back to f32.
constexpr void advise_packed(violation& v, const element& type) {
  v << "what is packed as " << type.name << " can only be the left factor of a product";
  if (type == element_of<tf32>()) v << "; for its numbers declare the same memory a second time, as float";
}
/// How a value becomes something that ordinary arithmetic takes.
constexpr void advise(violation& v, const described& x) {
  if (x.kind == value_kind::operand) {
    v.what = rule::a_tile_must_be_loaded_first;
    v << "load a tile first: sm.load(" << x.facts.name << ", {..})";
  } else if (x.kind == value_kind::unfinished_rows) {
    v.what = rule::row_sums_need_total;
    v << "four lanes hold a part of it each; row_sum(x).total() adds them up";
  } else if (x.kind == value_kind::indices) {
    v.what = rule::an_index_is_stored_or_cast;
    v << "it is stored to a vector of s32; to compute with it, write cast<float>() of it";
  } else if (x.kind == value_kind::placed_rows) {
    v.what = rule::an_element_has_a_value_and_a_column;
    v << "take one of the two: auto [value, column] = .., or its .value or .column; max() and min() take two of these";
  } else if (x.kind == value_kind::product) {
    v.what = rule::a_product_needs_an_accumulator;
    v << "a product needs an accumulator: acc += a * b, or sm.accumulator(a * b); element by element one of both is "
         "in_registers()";
  } else if (x.kind == value_kind::product_in_parts) {
    v << "each part is added to sums before the next is made: fma(part, x, sum), of a part that is declared auto";
  } else if (x.kind == value_kind::tile || x.kind == value_kind::negated_tile) {
    v.what = rule::a_tile_is_a_factor_or_brought_into_registers;
    v << "a tile in shared memory can only be multiplied by a tile"
      << (is_cast_to_numbers(x.facts.type)      ? "; its numbers are cast<float>(in_registers(tile))"
          : x.facts.type == element_of<float>() ? "; its numbers are in_registers(tile)"
                                                : "; only tiles of f32, bf16, f16 and 8 bits can be computed with");
  } else if (x.kind == value_kind::outer) {
    v << "they are made where they meet a fragment, as in acc * (rows * columns) or fma(acc, rows * columns, sum)";
  } else if (x.kind == value_kind::vector) {
    v << "a vector is spread over the fragment that it meets, as in acc * scale + bias: begin with the fragment; a "
         "function of its numbers is map(acc, v, f)";
  } else if (x.kind == value_kind::fragment && is_cast_to_numbers(x.facts.type)) {
    v.what = rule::fragments_are_combined_as_f32;
    v << "fragments are combined in f32: write cast<float>() of the one of " << x.facts.type.name;
  } else if (x.kind == value_kind::fragment) {
    advise_packed(v, x.facts.type);
  } else if (x.kind == value_kind::number) {
    v << "a number that a run decides meets + - * /, min, max and select alone; give its function as a scalar, or "
         "map(x, number, f)";
  } else if (x.kind == value_kind::truth) {
    v << "what a run decides becomes a number by select(c, 1.0f, 0.0f); of an element it is map(x, f), of its place "
         "mask()";
  } else {
    v << "there is no such operation; values are fragments, numbers per row and numbers";
  }
}
constexpr bool is_line(const described& x) { return x.kind == value_kind::rows || x.kind == value_kind::cols; }
constexpr bool is_plain(const described& x) { return x.is_sums() || is_line(x) || x.kind == value_kind::number; }
/// What combines with something of its shape.
constexpr bool may_combine(const described& x) {
  return is_plain(x) || x.is_addend() || x.kind == value_kind::vector || x.kind == value_kind::outer;
}
/// Why a vector does not fit the fragment, or the rows, that it meets.
constexpr void say_why_apart(violation& v, const described& x, const described& met) {
  const operand_facts &f = x.facts, &to = met.facts;
  v.what = rule::values_are_along_other_modes;
  v << f.name << " is along " << said_mode(text_of(f.col_mode())) << " (" << f.cols() << "), what it meets along ";
  if (met.kind != value_kind::cols) v << said_mode(text_of(to.row_mode())) << " (" << to.rows() << ")";
  if (!is_line(met)) v << " x ";
  if (met.kind != value_kind::rows) v << said_mode(text_of(to.col_mode())) << " (" << to.cols() << ")";
  if (!is_along_rows_and_columns(f, met))
    v << "; a vector goes along one of its modes";
  else
    v << ", rows as well as columns; an accumulator(C) of an output C("
      << said_mode(text_of(without_prime(to.row_mode()))) << "," << said_mode(text_of(without_prime(to.row_mode())))
      << "') tells the two apart";
}

}  // namespace sectile
