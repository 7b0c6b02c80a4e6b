// What the values of a body cannot do, said in a sentence: without these operators a compiler would list all those that
// do not fit. Each real operator is more specialised, so these are chosen only where there is none.
#pragma once
#include <sectile/dsl/program/elementwise.hpp>

namespace sectile {

/// Stands for a value that was refused, so that one mistake is reported once.
struct refused_value {};

enum class value_kind : std::uint8_t {
  none,
  number,
  refused,
  operand,
  tile,
  negated_tile,
  product,
  fragment,
  rows,
  unfinished_rows
};

/// What a value is, and the name to call it by: of its operand, or of its type.
template <class X>
struct value_facts {
  static constexpr value_kind kind = std::is_arithmetic_v<X> ? value_kind::number : value_kind::none;
  static constexpr operand_facts facts{};
};
template <>
struct value_facts<refused_value> {
  static constexpr value_kind kind = value_kind::refused;
  static constexpr operand_facts facts{};
};
template <class K, int I>
struct value_facts<operand_handle<K, I>> {
  static constexpr value_kind kind = value_kind::operand;
  static constexpr operand_facts facts = operand_facts_of<K, I>();
};
template <class R, int I>
struct value_facts<loaded_tile<R, I>> {
  static constexpr value_kind kind = value_kind::tile;
  static constexpr operand_facts facts = operand_facts_of<typename R::kernel, I>();
};
template <class R, int I>
struct value_facts<transposed_tile<R, I>> : value_facts<loaded_tile<R, I>> {};
template <class X>
struct value_facts<negated<X>> {
  static constexpr value_kind kind = value_kind::negated_tile;
  static constexpr operand_facts facts = value_facts<std::remove_cvref_t<X>>::facts;
};
template <class A, class B, product_form Form>
struct value_facts<tile_product<A, B, Form>> {
  static constexpr value_kind kind = value_kind::product;
  static constexpr operand_facts facts{};
};
template <class R, class T, int Rows, int Cols>
struct value_facts<fragment<R, T, Rows, Cols>> {
  static constexpr value_kind kind = value_kind::fragment;
  static constexpr operand_facts facts{.type = element_of<T>(), .tile = {2, {Rows, Cols}}};
};
template <class R, int Rows>
struct value_facts<row_vector<R, Rows>> {
  static constexpr value_kind kind = value_kind::rows;
  static constexpr operand_facts facts{.tile = {2, {Rows, 1}}};
};
template <class R, int Rows>
struct value_facts<partial_rows<R, Rows>> {
  static constexpr value_kind kind = value_kind::unfinished_rows;
  static constexpr operand_facts facts{.tile = {2, {Rows, 1}}};
};

/// A value as a misuse sees it.
struct described {
  value_kind kind = value_kind::none;
  operand_facts facts{};
};
template <class X>
constexpr described describe() {
  return {value_facts<X>::kind, value_facts<X>::facts};
}

constexpr violation& operator<<(violation& v, const described& x) {
  switch (x.kind) {
    case value_kind::operand:
      v.add("operand "), v.add(x.facts.name);
      break;
    case value_kind::tile:
      v.add("a tile of "), v.add(x.facts.name);
      break;
    case value_kind::negated_tile:
      v.add("a negated factor");
      break;
    case value_kind::product:
      v.add("a product");
      break;
    case value_kind::fragment:
      v.add("a fragment of "), v.add(x.facts.type.name), v.add(", "), v.add(x.facts.rows()), v.add(" x ");
      v.add(x.facts.cols());
      break;
    case value_kind::rows:
      v.add("a number per row");
      break;
    case value_kind::unfinished_rows:
      v.add("an unfinished row_sum()");
      break;
    case value_kind::number:
      v.add("a number");
      break;
    case value_kind::refused:
    case value_kind::none:
      v.add("something else");
      break;
  }
  return v;
}

constexpr violation check_cast(const described& x, const element& to) {
  if (x.kind == value_kind::refused) return {};
  violation v{.what = rule::values_do_not_combine};
  v.add("cast to "), v.add(to.name), v.add(" of "), v << x;
  v.add(x.kind == value_kind::fragment
            ? ": f32 becomes any operand type, s32, f16 and bf16 become f32; cast<float>() first"
            : ": only fragments can be cast");
  return v;
}
constexpr violation check_transpose(const described& x) {
  if (x.kind == value_kind::refused) return {};
  violation v{.what = rule::values_do_not_combine};
  v.add("transpose() takes a tile in shared memory, not "), v << x;
  if (x.kind == value_kind::operand) v.add("; write transpose(sm.load("), v.add(x.facts.name), v.add(", {..}))");
  if (x.kind == value_kind::product) v.add("; the transpose of a * b is transpose(b) * transpose(a)");
  return v;
}

/// Why there is no `a op b`, in the terms of what a and b are.
constexpr violation check_operator(const char* op, const described& a, const described& b) {
  if (a.kind == value_kind::refused || b.kind == value_kind::refused) return {};
  const bool times = op[0] == '*';
  const auto either = [&](value_kind k) { return a.kind == k || b.kind == k; };
  violation v{.what = rule::values_do_not_combine};
  v.add("a "), v.add(op), v.add(" b with "), v << a, v.add(" and "), v << b, v.add(": ");
  if (either(value_kind::operand)) {
    const char* name = a.kind == value_kind::operand ? a.facts.name : b.facts.name;
    v.add("load a tile first: sm.load("), v.add(name), v.add(", {..})");
  } else if (either(value_kind::unfinished_rows)) {
    v.add("four lanes hold a part of it each; row_sum(x).total() adds them up");
  } else if (times && a.kind == value_kind::tile && b.kind == value_kind::fragment) {
    v.add("the right factor must be a tile in shared memory; swap the factors, or transpose the product");
  } else if (times && a.kind == value_kind::fragment && b.kind == value_kind::tile) {
    v.add("an accumulator is no operand yet; write cast<"), v.add(b.facts.type.name), v.add(">(a) * b");
  } else if (either(value_kind::product)) {
    v.add("a product needs an accumulator: acc += a * b, or sm.accumulator(a * b)");
  } else if (either(value_kind::tile)) {
    v.add("a tile in shared memory can only be multiplied by a tile; in_registers() brings it to the left factor");
  } else if (a.kind == value_kind::fragment && b.kind == value_kind::fragment) {
    v.add("fragments are combined in f32 and in one shape; cast<float>() first");
  } else {
    v.add("there is no such operation");
  }
  return v;
}

/// Marks the body as refused, where the value knows its reading.
template <class X>
constexpr void mark_refused(const X& x) {
  if constexpr (requires { x.reading->refused; }) x.reading->refused = true;
}

template <class X>
inline constexpr bool is_body_value = value_facts<X>::kind > value_kind::number;

/// Both belong to a body; or one does and the other is a number, for which only f32 fragments and rows have operators.
template <class A, class B>
concept may_be_misused = (is_body_value<A> && is_body_value<B>) ||
                         (is_body_value<A> && value_facts<B>::kind == value_kind::number &&
                          value_facts<A>::kind != value_kind::rows &&
                          value_facts<A>::facts.type != element_of<float>()) ||
                         (is_body_value<B> && value_facts<A>::kind == value_kind::number &&
                          value_facts<B>::facts.type != element_of<float>());

template <class A, class B>
requires(may_be_misused<A, B> && !(factor<A>::left && factor<B>::right)) constexpr refused_value operator*(const A& a,
                                                                                                           const B& b) {
  static_assert(decltype(reason<check_operator("*", describe<A>(), describe<B>())>())::verified);
  mark_refused(a);
  mark_refused(b);
  return {};
}
template <class A, class B>
requires may_be_misused<A, B>
constexpr refused_value operator+(const A& a, const B& b) {
  static_assert(decltype(reason<check_operator("+", describe<A>(), describe<B>())>())::verified);
  mark_refused(a);
  mark_refused(b);
  return {};
}
template <class A, class B>
requires may_be_misused<A, B>
constexpr refused_value operator-(const A& a, const B& b) {
  static_assert(decltype(reason<check_operator("-", describe<A>(), describe<B>())>())::verified);
  mark_refused(a);
  mark_refused(b);
  return {};
}
template <class A, class B>
requires(may_be_misused<A, B>&& value_facts<B>::kind != value_kind::product) constexpr A& operator+=(A& a, const B&) {
  static_assert(decltype(reason<check_operator("+=", describe<A>(), describe<B>())>())::verified);
  mark_refused(a);
  return a;
}
template <class A, class B>
requires(may_be_misused<A, B>&& value_facts<B>::kind != value_kind::product) constexpr A& operator-=(A& a, const B&) {
  static_assert(decltype(reason<check_operator("-=", describe<A>(), describe<B>())>())::verified);
  mark_refused(a);
  return a;
}
template <class A, class B>
requires may_be_misused<A, B>
constexpr A& operator*=(A& a, const B&) {
  static_assert(decltype(reason<check_operator("*=", describe<A>(), describe<B>())>())::verified);
  mark_refused(a);
  return a;
}

/// transpose() of anything but a tile.
template <class X>
requires(is_body_value<X> && !is_tile<X>::value) constexpr refused_value transpose(const X& x) {
  static_assert(decltype(reason<check_transpose(describe<X>())>())::verified);
  mark_refused(x);
  return {};
}

/// cast<T>() of what has no such conversion.
template <class T, class X>
requires is_body_value<X>
constexpr refused_value cast(const X& x) {
  static_assert(decltype(reason<check_cast(describe<X>(), element_of<T>())>())::verified);
  mark_refused(x);
  return {};
}

}  // namespace sectile
