// The values a body computes with: tiles in shared memory, products of tiles, register fragments, row vectors.
//
// Every type takes the reading R as its first parameter. A reading gives the operations their meaning: the planner
// records them, the producer ignores all but the loads, the consumer executes them. The vocabulary is written once.
#pragma once
#include <type_traits>
#include <utility>

#include <sectile/dsl/plan/shape_rules.hpp>
#include <sectile/dsl/program/operand.hpp>

namespace sectile {

/// Operand I's tile in shared memory, after load(). Where it lies is the reading's business.
template <class R, int I>
struct loaded_tile {
  R* reading;
  typename R::slot slot;

  static constexpr int operand = I;
  static constexpr bool is_transposed = false;
  static constexpr int rows = operand_facts_of<typename R::kernel, I>().rows();
  static constexpr int cols = operand_facts_of<typename R::kernel, I>().cols();
};

/// The same bytes read as the transposed matrix. Costs nothing: the descriptor says which mode is K.
template <class R, int I>
struct transposed_tile {
  loaded_tile<R, I> tile;

  static constexpr int operand = I;
  static constexpr bool is_transposed = true;
  static constexpr int rows = loaded_tile<R, I>::cols;
  static constexpr int cols = loaded_tile<R, I>::rows;
};

template <class R, int I>
constexpr transposed_tile<R, I> transpose(const loaded_tile<R, I>& t) {
  return {t};
}
template <class R, int I>
constexpr loaded_tile<R, I> transpose(const transposed_tile<R, I>& t) {
  return t.tile;
}

/// A matrix product that has been written but not issued: it needs an accumulator (`acc += a * b` or `s = a * b`).
template <class A, class B>
struct tile_product {
  A a;  // a tile by value, a fragment by reference
  B b;
};

/// Thread-private part of a Rows x Cols matrix, spread over the consumer warpgroups in wgmma's fragment layout.
/// T = float: an accumulator. A 16-bit T: the left operand of a product, already packed (see cast).
template <class R, class T, int Rows, int Cols>
struct fragment {
  using reading_type = R;
  using element_type = T;
  static constexpr int rows = Rows, cols = Cols;
  static constexpr int atoms = Rows / 64 / R::consumers;  // m64 blocks that one warpgroup holds
  /// 32-bit registers of one m64 block per thread.
  static constexpr int atom_registers = Cols * element_of<T>().bits / 64;
  using block = typename R::template registers<std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>,
                                               atom_registers>;

  R* reading;
  int id;             // the planner's name for this value
  bool fresh = true;  // no product has reached it yet: the first one overwrites
  bool named = true;  // false once the value has moved on to another name
  block atom[atoms < 1 ? 1 : atoms];

  /// Zero. As a rule a product overwrites the registers before anybody looks; where the planner saw otherwise (a loop
  /// without a trip), they are cleared.
  constexpr explicit fragment(R& r) : reading(&r), id(r.new_value()) {
    if constexpr (R::clears_accumulators)
      for (auto& a : atom)
        for (int i = 0; i < atom_registers; ++i) a[i] = {};
  }
  /// The registers are given up: products that still use them must be complete. (On the model a wait may throw.)
  constexpr ~fragment() noexcept(false) {
    if (named) reading->give_up(*this);
  }
  template <class A, class B>
  constexpr fragment(R& r, const tile_product<A, B>& p) : fragment(r) {
    *this += p;
  }
  constexpr fragment(const fragment& other) : reading(other.reading), id(other.reading->new_value()), fresh(false) {
    other.touch();
    copy_registers(other);
  }
  /// The same value under a new name (a function's result). Not for a value with a product in flight.
  constexpr fragment(fragment&& other) : reading(other.reading), id(other.id), fresh(other.fresh) {
    other.named = false;
    reading->moved(other);
    copy_registers(other);
  }
  /// Overwrites the registers: waits first for products that still read or write them.
  constexpr fragment& operator=(const fragment& other) {
    other.touch();
    fresh = false;  // what was here is overwritten: nothing to clear
    touch();
    copy_registers(other);
    return *this;
  }

  /// this = a * b. Asynchronous: the reading waits where the value is next used.
  template <class A, class B>
  constexpr fragment& operator=(const tile_product<A, B>& p) {
    fresh = true;
    return *this += p;
  }
  /// this += a * b. Asynchronous as well; products into one accumulator are kept in order by the hardware.
  template <class A, class B>
  constexpr fragment& operator+=(const tile_product<A, B>& p) {
    using left = std::remove_cvref_t<A>;
    require_product_shape<Rows, Cols, left::rows, left::cols, B::rows, B::cols>();
    reading->issue(*this, p.a, p.b);
    fresh = false;
    return *this;
  }

  /// Says that ordinary instructions are about to read or write these registers.
  constexpr void touch() const { reading->touch(const_cast<fragment&>(*this)); }

  constexpr void copy_registers(const fragment& other) {
    if constexpr (R::computes)
      for (int m = 0; m < atoms; ++m)
        for (int i = 0; i < atom_registers; ++i) atom[m][i] = other.atom[m][i];
  }
};

template <class X>
struct is_tile : std::false_type {};
template <class R, int I>
struct is_tile<loaded_tile<R, I>> : std::true_type {};
template <class R, int I>
struct is_tile<transposed_tile<R, I>> : std::true_type {};

template <class X>
struct is_packed : std::false_type {};
template <class R, class T, int Rows, int Cols>
struct is_packed<fragment<R, T, Rows, Cols>> : std::bool_constant<!std::is_same_v<T, float>> {};

/// a * b for two tiles.
template <class A, class B>
  requires(is_tile<A>::value && is_tile<B>::value)
constexpr tile_product<A, B> operator*(const A& a, const B& b) {
  return {a, b};
}
/// p * b for a packed fragment and a tile.
template <class P, class B>
  requires(is_packed<P>::value && is_tile<B>::value)
constexpr tile_product<const P&, B> operator*(const P& p, const B& b) {
  return {p, b};
}

}  // namespace sectile
