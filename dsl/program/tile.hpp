// The values a body computes with: register fragments, and what products are made of.
#pragma once
#include <sectile/dsl/program/loaded_tile.hpp>
#include <sectile/dsl/program/unroll.hpp>

namespace sectile {

/// Elements of the types in which products are summed: in registers they lie in the order of sums, those of any other
/// type in that of a left factor. (f16 is both, because the two orders are the same.)
constexpr bool lies_as_sums(const element& e) { return e == element_of<float>() || e == element_of<s32>(); }

/// The element type in which products of elements of type T are summed unless the program says otherwise.
template <class T>
using sum_type = std::conditional_t<element_of<T>().kind == number::floating, float, s32>;

/// Names a type where a function takes one: sm.accumulator(C, as<f16>()).
template <class T>
struct named_type {
  using type = T;
};
template <class T>
constexpr named_type<T> as() {
  return {};
}

/// Says that a fragment begins with other values, and not as a sum.
struct filled_here {};

/// What one register of a fragment of T is, to ordinary code.
template <class T>
using register_type = std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, s32>, T, std::uint32_t>;

/// The shape of a value, with the names of its modes.
template <class X>
constexpr matrix_shape matrix_shape_of() {
  return {X::row_extent::extent, X::col_extent::extent, X::row_extent::name, X::col_extent::name};
}
/// What a fragment stands for in the body: where the configuration swaps, it holds the transpose.
constexpr matrix_shape shape_in_body(const matrix_shape& held, bool swapped) {
  return swapped ? matrix_shape{held.cols, held.rows, held.col_mode, held.row_mode} : held;
}

/// Thread-private part of a matrix of Rows x Cols (each an extent along a mode), spread over the consumer warpgroups in
/// wgmma's fragment layout.
/// T = float or s32: an accumulator, or a tile that is added to one. Other types: the left operand of a product, packed
/// into 32-bit registers (see cast, in_registers).
template <class R, class T, class Rows, class Cols>
struct SECTILE_RESULT fragment {
  using reading_type = R;
  using element_type = T;
  using row_extent = Rows;
  using col_extent = Cols;
  static constexpr int rows = Rows::extent, cols = Cols::extent;
  static constexpr int atoms = rows / 64 / R::sharers;  // m64 blocks that one warpgroup holds
  /// 32-bit registers of one m64 block per thread.
  static constexpr int atom_registers = cols * element_of<T>().bits / 64;
  using block = typename R::template registers<register_type<T>, atom_registers>;

  R* reading;
  int id;             // the planner's name for this value
  bool fresh = true;  // no product has reached it yet: the first one overwrites
  bool named = true;  // false once the value has moved on to another name
  [[no_unique_address]] typename R::place_in_matrix place{};
  block atom[atoms < 1 ? 1 : atoms];

  /// Zero. As a rule a product overwrites the registers before anybody looks; where the planner saw otherwise (a loop
  /// without a trip), they are cleared.
  constexpr explicit fragment(R& r) : reading(&r), id(r.new_value()) {
    if constexpr (R::clears_accumulators)
      for (auto& a : atom)
        for (int i = 0; i < atom_registers; ++i) a[i] = {};
  }
  /// To be filled with what is made of values that lie in these places.
  template <class... Places>
  constexpr fragment(R& r, filled_here, const Places&... places) : fragment(r) {
    fresh = false;
    (place.meet(places), ...);
  }
  /// The registers are given up: products that still use them must be complete. (On the model a wait may throw.)
  constexpr ~fragment() noexcept(false) {
    if (named) reading->give_up(*this);
  }
  template <class A, class B, product_form Form>
  constexpr fragment(R& r, const tile_product<A, B, Form>& p) : fragment(r) {
    *this += p;
  }
  constexpr fragment(const fragment& other)
      : reading(other.reading), id(other.reading->new_value()), fresh(false), place(other.place) {
    other.touch();
    if constexpr (is_planner<R>) reading->copied(*this);
    copy_registers(other);
  }
  /// The same value under a new name (a function's result). Not for a value with a product in flight.
  constexpr fragment(fragment&& other) : reading(other.reading), id(other.id), fresh(other.fresh), place(other.place) {
    other.named = false;
    reading->moved(other);
    copy_registers(other);
  }
  /// Overwrites the registers: waits first for products that still read or write them.
  constexpr fragment& operator=(const fragment& other) {
    if constexpr (is_planner<R>) reading->assigns(id, other.id);
    other.touch();
    fresh = false;  // what was here is overwritten: nothing to clear
    touch();
    if constexpr (is_planner<R>) reading->overwritten(*this);
    place = other.place;
    copy_registers(other);
    return *this;
  }

  /// this = a * b. Asynchronous: the reading waits where the value is next used.
  template <class A, class B, product_form Form>
  constexpr fragment& operator=(const tile_product<A, B, Form>& p) {
    fresh = true;
    return *this += p;
  }
  /// this += a * b. Asynchronous as well; products into one accumulator are kept in order by the hardware. (auto: so
  /// that a compiler looks into it where it stands in the body.)
  template <class A, class B, product_form Form>
  constexpr auto& operator+=(const tile_product<A, B, Form>& p) {
    using left = std::remove_cvref_t<A>;
    constexpr bool placed = is_placed<R, left>;
    if constexpr (is_planner<R>) {
      constexpr violation v = [] {
        if (const violation of_type = check_placed<R, left>(); !of_type.holds()) return of_type;
        return check_product({shape_in_body(matrix_shape_of<fragment>(), R::swaps),
                              shape_in_body(matrix_shape_of<left>(), placed), matrix_shape_of<B>()});
      }();
      static_assert(decltype(reason<v>())::verified);
      reading->refused = reading->refused || !v.holds();
    }
    constexpr product_form swapped{Form.negate_b, Form.negate_a, Form.saturate};
    if constexpr (!R::swaps) {
      reading->template issue<Form>(*this, p.a, p.b);
    } else if constexpr (!placed) {  // (a b)^T = b^T a^T
      reading->template issue<swapped>(*this, sectile::transpose(p.b), sectile::transpose(p.a));
    } else {
      p.a.touch();
      reading->template issue<swapped>(*this, sectile::transpose(p.b), p.a);
    }
    fresh = false;
    return *this;
  }
  /// this -= a * b: the instruction negates A.
  template <class A, class B, product_form Form>
  constexpr fragment& operator-=(const tile_product<A, B, Form>& p) {
    constexpr product_form negative{!Form.negate_a, Form.negate_b, Form.saturate};
    return *this += tile_product<A, B, negative>{p.a, p.b};
  }

  template <class X>
  constexpr fragment& operator=(const X& x) {
    static_assert(decltype(reason<no_filling<fragment, X>()>())::verified);
    fill(*this, x);
    return *this;
  }
  constexpr operator float() const {
    static_assert(decltype(reason<no_use<asked_for::number, fragment>()>())::verified);
    return refused(*this);
  }
  constexpr operator bf16() const { return bf16(static_cast<float>(*this)); }
  constexpr operator f16() const { return f16(static_cast<float>(*this)); }
  template <class I>
  constexpr auto operator[](const I&) const {
    static_assert(decltype(reason<no_use<asked_for::element, fragment>()>())::verified);
    return refused(*this);
  }
  template <class... I>
  constexpr auto operator()(const I&...) const {
    static_assert(decltype(reason<no_use<asked_for::element, fragment>()>())::verified);
    return refused(*this);
  }
  // What arrays and tensors of other libraries have. (Each says why by itself: of a function that asks another one a
  // compiler lists both.)
  static constexpr no_member<asked_for::transpose, fragment, typename R::kernel> transpose{};
  static constexpr no_member<asked_for::element, fragment, typename R::kernel> at{}, shape{}, sum{}, max{}, min{},
      mean{};
  static constexpr no_member<asked_for::element, fragment, typename R::kernel, int> size{};
  static constexpr no_member<asked_for::element, fragment, typename R::kernel, float*> data{}, begin{};
  constexpr float* end() const { return nullptr; }
  static constexpr no_member<asked_for::copy, fragment, typename R::kernel> store{};
  /// With a type in pointed brackets or without.
  template <class... To, class... X>
  constexpr auto to(const X&...) const {
    static_assert(decltype(reason<no_use<asked_for::cast, fragment>()>())::verified);
    return refused(*this);
  }
  template <class... To, class... X>
  constexpr auto cast(const X&...) const {
    static_assert(decltype(reason<no_use<asked_for::cast, fragment>()>())::verified);
    return refused(*this);
  }

  /// Says that ordinary instructions are about to read or write these registers.
  constexpr void touch() const { reading->touch(const_cast<fragment&>(*this)); }

  constexpr void copy_registers(const fragment& other) {
    if constexpr (R::computes)
      SECTILE_UNROLL for (int m = 0; m < atoms; ++m) SECTILE_UNROLL for (int i = 0; i < atom_registers; ++i)
          atom[m][i] = other.atom[m][i];
  }
};

/// Whether X is a fragment that can be the left factor of a product.
template <class X>
struct is_packed : std::false_type {};
template <class R, class T, class Rows, class Cols>
struct is_packed<fragment<R, T, Rows, Cols>> : std::bool_constant<!lies_as_sums(element_of<T>())> {};

/// -a: an operand whose sign the instruction flips.
template <class X>
struct negated {
  X operand;  // a tile by value, a fragment by reference
};

/// How a factor is kept in a product: tiles are a few numbers, fragments are many registers.
template <class X>
struct factor {
  using type = X;
  static constexpr bool left = is_tile<X>::value || is_packed<X>::value, right = is_tile<X>::value;
  static constexpr bool negative = false;
  static constexpr const X& bare(const X& x) { return x; }
};
template <class R, class T, class Rows, class Cols>
struct factor<fragment<R, T, Rows, Cols>> {
  using fragment_type = fragment<R, T, Rows, Cols>;
  using type = const fragment_type&;
  static constexpr bool left = is_packed<fragment_type>::value, right = false, negative = false;
  static constexpr type bare(type x) { return x; }
};
template <class X>
struct factor<negated<X>> {
  using inner = factor<std::remove_cvref_t<X>>;
  using type = typename inner::type;
  static constexpr bool left = inner::left, right = inner::right, negative = true;
  static constexpr const auto& bare(const negated<X>& x) { return x.operand; }
};

/// -a: a factor whose sign the instruction flips.
template <class X>
requires(factor<X>::left && !factor<X>::negative) constexpr negated<typename factor<X>::type> operator-(const X& x) {
  return {x};
}

/// a * b: a tile or a packed fragment by a tile.
template <class A, class B>
requires(factor<A>::left&& factor<B>::right) constexpr tile_product<
    typename factor<A>::type, typename factor<B>::type, product_form{factor<A>::negative, factor<B>::negative}>
operator*(const A& a, const B& b) {
  return {factor<A>::bare(a), factor<B>::bare(b)};
}

/// -(-a) is a.
template <class X>
constexpr X operator-(const negated<X>& x) {
  return x.operand;
}
/// -(a * b): the instruction negates A.
template <class A, class B, product_form Form>
constexpr auto operator-(const tile_product<A, B, Form>& p) {
  return tile_product<A, B, product_form{!Form.negate_a, Form.negate_b, Form.saturate}>{p.a, p.b};
}

/// The same product, with the sum of 8-bit integers clamped to what s32 holds instead of wrapping.
template <class A, class B, product_form Form>
constexpr auto saturate(const tile_product<A, B, Form>& p) {
  return tile_product<A, B, product_form{Form.negate_a, Form.negate_b, true}>{p.a, p.b};
}

/// A sparse operand's metadata would have to come along. And elements of tf32 are turned on no way into registers, but
/// those of f32 are, which are the same bits in memory.
template <bool Transposed, class R, int I>
constexpr violation check_bringing() {
  if constexpr (is_planner<R>) {
    constexpr operand_facts f = loaded_tile<R, I>::facts;
    if (f.sparse)
      return refuse(rule::operand_is_used_in_another_way,
                    "in_registers: a sparse operand is multiplied from shared memory");
    if (f.type == element_of<tf32>() && Transposed != (f.order == col_major) && !R::swaps)
      return refuse(rule::operand_major_has_no_wgmma_instruction, "in_registers(",
                    Transposed ? "transpose(tile)" : "tile", ") of ", f.name,
                    ": tf32 must have K contiguous in memory there; declare ", f.name,
                    " as float, and write cast<tf32>(in_registers(..)), which rounds to nearest");
  }
  return {};
}
template <bool Transposed, class R, int I>
constexpr auto bring(const loaded_tile<R, I>& t) {
  if constexpr (check_bringing<Transposed, R, I>().holds())
    return t.reading->template read_fragment<Transposed>(t);
  else
    return refused(t);
}
/// A tile's elements in registers: as the left operand of a product, which wgmma then reads from there; those of f32
/// and s32 in the order of sums. (Its transpose where the configuration swaps, for arithmetic alone.)
template <class R, int I, bool Transposed>
constexpr auto in_registers(const loaded_tile<R, I, Transposed>& t) {
  static_assert(decltype(reason<check_bringing<Transposed != R::swaps, R, I>()>())::verified);
  return bring<Transposed != R::swaps>(loaded(t));
}

}  // namespace sectile
