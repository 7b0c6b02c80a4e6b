// Tiles in shared memory as a body sees them, and products of them that are written but not issued.
//
// Every type takes the reading R as its first parameter. A reading gives the operations their meaning: the planner
// records them, the producer ignores all but the loads, the consumer executes them. The vocabulary is written once.
#pragma once
#include <type_traits>

#include <sectile/dsl/program/misused_value.hpp>
#include <sectile/dsl/program/observed_place.hpp>
#include <sectile/dsl/program/operand.hpp>
#include <sectile/dsl/program/shape_rules.hpp>

namespace sectile {

/// Shapes are compared by the planner, which reads a body before all others.
template <class K>
struct planner;
template <class R>
inline constexpr bool is_planner = false;
template <class K>
inline constexpr bool is_planner<planner<K>> = true;
/// Whether R makes the plan of a configuration that swaps, and so has to say what cannot be done there.
template <class R>
inline constexpr bool swaps_in_plan = false;
template <class K>
inline constexpr bool swaps_in_plan<planner<K>> = planner<K>::swaps;
/// The reason why places in rows are not found there, or columns reduced; elsewhere there is nothing to say.
template <class R>
constexpr auto rows_are_rows() {
  if constexpr (swaps_in_plan<R>)
    return decltype(reason<check_swap("the place of an element in its row", swaps_in_plan<R>)>()){};
  else
    return nothing_to_say{};
}
template <class R>
constexpr auto columns_are_columns() {
  if constexpr (swaps_in_plan<R>)
    return decltype(reason<check_swap("a reduction of columns", swaps_in_plan<R>)>()){};
  else
    return nothing_to_say{};
}

/// Whether X is a tile in shared memory, transposed or not.
template <class X>
struct is_tile : std::false_type {};

/// Whether a left factor is the instruction's right one, which it reads from shared memory, and is no tile there: where
/// the configuration swaps, a fragment is written there, by stmatrix (see consumer_products.hpp).
template <class R, class Factor>
inline constexpr bool is_placed = R::swaps && !is_tile<Factor>::value;
/// Why one of a type is not.
template <class R, class Factor>
constexpr violation check_placed() {
  if constexpr (is_planner<R> && is_placed<R, Factor>) {
    constexpr element type = element_of<typename Factor::element_type>();
    constexpr bool widened = requires { typename Factor::narrow_type; };
    if (type.bits != 16 || widened)
      return refuse(rule::configuration_does_not_fit_the_program, ".swap = true with a left factor in registers of ",
                    widened ? "elements that became wider" : type.name,
                    ": it goes through shared memory, which those of 16 bits do that are computed; leave .swap out of "
                    "this program's configurations");
  }
  return {};
}

/// So many elements along mode M: the rows or the columns of a value.
template <int N, mode_id M = mode_id::any>
struct along {
  static constexpr int extent = N;
  static constexpr mode_id name = M;
};

/// Operand I's tile in shared memory, after load(). Where it lies is the reading's business. Transposed: the same bytes
/// read as the transposed matrix. That costs nothing: the descriptor says which mode is K.
template <class R, int I, bool Transposed = false>
struct loaded_tile {
  R* reading;
  typename R::slot slot;

  static constexpr int operand = I;
  static constexpr bool is_transposed = Transposed, swapped = R::swaps;
  static constexpr operand_facts facts = operand_facts_of<typename R::kernel, I>();
  using own_rows = along<facts.rows(), facts.row_mode()>;
  using own_cols = along<facts.cols(), facts.col_mode()>;
  using row_extent = std::conditional_t<Transposed, own_cols, own_rows>;
  using col_extent = std::conditional_t<Transposed, own_rows, own_cols>;
  static constexpr int rows = row_extent::extent, cols = col_extent::extent;

  constexpr operator float() const {
    static_assert(decltype(reason<no_use<asked_for::number, loaded_tile>()>())::verified);
    return refused(*this);
  }
  /// What is one element of it.
  constexpr operator typename operand_at<typename R::kernel, I>::element_type() const
      requires(!std::is_arithmetic_v<typename operand_at<typename R::kernel, I>::element_type>) {
    static_assert(decltype(reason<no_use<asked_for::number, loaded_tile>()>())::verified);
    return refused(*this), typename operand_at<typename R::kernel, I>::element_type{};
  }
  template <class... At>
  constexpr auto operator()(const At&...) const {
    static_assert(decltype(reason<no_use<asked_for::element, loaded_tile>()>())::verified);
    return refused(*this);
  }
  template <class At>
  constexpr auto operator[](const At&) const {
    static_assert(decltype(reason<no_use<asked_for::element, loaded_tile>()>())::verified);
    return refused(*this);
  }
  static constexpr no_member<asked_for::transpose, loaded_tile, typename R::kernel> T{}, transpose{};
};

template <class R, int I, bool Transposed>
struct is_tile<loaded_tile<R, I, Transposed>> : std::true_type {};

/// The tile as the transposed matrix, and back. No instruction, no copy.
template <class R, int I, bool Transposed>
constexpr loaded_tile<R, I, !Transposed> transpose(const loaded_tile<R, I, Transposed>& t) {
  return {t.reading, t.slot};
}

/// The tile as it was loaded.
template <class R, int I, bool Transposed>
constexpr loaded_tile<R, I> loaded(const loaded_tile<R, I, Transposed>& t) {
  return {t.reading, t.slot};
}

/// What a product does besides multiplying.
struct product_form {
  bool negate_a = false, negate_b = false;
  bool saturate = false;
  int part = 0, parts = 1;  // which part it makes of each consumer's rows, see product_by_blocks.hpp
  friend constexpr bool operator==(const product_form&, const product_form&) = default;
};

/// A matrix product that has been written but not issued: it needs an accumulator (`acc += a * b` or `s = a * b`).
template <class A, class B, product_form Form = product_form{}>
struct tile_product {
  A a;  // a tile by value, a fragment by reference
  B b;

  constexpr operator float() const {
    static_assert(decltype(reason<no_use<asked_for::number, tile_product>()>())::verified);
    return refused(*this);
  }
};

}  // namespace sectile
