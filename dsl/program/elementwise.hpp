// Element by element: what a body may do to a fragment between products.
//
// A row's number and a plain number stand for every element of their row and of the whole, so one rule serves every
// operation: fragments of one shape, rows and numbers combine, and the result is as large as the largest of them.
// Each function touches the fragments that it reads, so the reading knows where a product's result is first needed.
// Numbers are rounded as the named PTX instruction rounds them, on every machine: nothing is contracted behind the
// program's back, so a kernel's numbers do not depend on a compiler's mood.
#pragma once
#include <sectile/dsl/program/by_elements.hpp>

namespace sectile {

/// What a masked score becomes.
inline constexpr float infinity = __builtin_huge_valf();

// ---- what the machine does to numbers, each result rounded to nearest; and how a program writes it

struct sum_of_two {
  static constexpr const char *form = "a + b", *in_place = "a += b";
  static constexpr unsigned adds_to = 0b11;  // values that the others are added to, a bit each
  constexpr float operator()(auto& hw, float x, float y) const { return hw.add(x, y); }
};
struct difference_of_two {
  static constexpr const char *form = "a - b", *in_place = "a -= b";
  static constexpr unsigned adds_to = 0b01;
  constexpr float operator()(auto& hw, float x, float y) const { return hw.subtract(x, y); }
};
struct product_of_two {
  static constexpr const char *form = "a * b", *in_place = "a *= b";
  constexpr float operator()(auto& hw, float x, float y) const { return hw.multiply(x, y); }
};
struct quotient_of_two {
  static constexpr const char *form = "a / b", *in_place = "a /= b";
  constexpr float operator()(auto& hw, float x, float y) const { return hw.divide(x, y); }
};
struct larger_of_two {
  static constexpr const char* form = "max(a, b)";
  constexpr float operator()(auto& hw, float x, float y) const { return hw.maximum(x, y); }
};
struct smaller_of_two {
  static constexpr const char* form = "min(a, b)";
  constexpr float operator()(auto& hw, float x, float y) const { return hw.minimum(x, y); }
};
struct product_and_sum {
  static constexpr const char* form = "fma(a, b, c)";
  static constexpr unsigned adds_to = 0b100;
  constexpr float operator()(auto& hw, float x, float y, float z) const { return hw.fma(x, y, z); }
};
struct negative_of_one {
  static constexpr const char* form = "-a";
  constexpr float operator()(auto& hw, float x) const { return hw.negate(x); }
};
struct power_of_two {
  static constexpr const char* form = "exp2(a)";
  constexpr float operator()(auto& hw, float x) const { return hw.exp2(x); }
};
struct reciprocal_of_one {
  static constexpr const char* form = "reciprocal(a)";
  constexpr float operator()(auto& hw, float x) const { return hw.reciprocal(x); }
};

/// Whether an operation takes these values. acc * tile is taken for a product of matrices whose left factor was not
/// cast.
template <class Operation, class... X>
inline constexpr bool takes =
    values_combine<X...> && !(std::is_same_v<Operation, product_of_two> && (is_tile<X>::value || ...)) &&
    (sizeof...(X) == 1 || !is_function_of_one(Operation::form));
/// The reason why it does not, or nothing to say. Each operation asserts it: see refusal.hpp.
template <class Operation, class... X>
constexpr auto fit() {
  if constexpr (takes<Operation, X...>)
    return nothing_to_say{};
  else if constexpr (sizeof...(X) > 1 && is_function_of_one(Operation::form))
    return decltype(reason<check_one_value(Operation::form, sizeof...(X))>()){};
  else if constexpr (sizeof...(X) == 1 && (std::is_same_v<float, X> && ...))
    return decltype(reason<check_plain_number(Operation::form)>()){};
  else
    return decltype(reason<check_values(Operation::form, describe_all<X...>())>()){};
}
template <class Operation, class... X>
constexpr auto operate(const X&... x) {
  if constexpr (takes<Operation, X...>)
    return by_elements(Operation{}, x...);
  else
    return refused(x...);
}
/// The same for an operation whose result takes the place of a.
template <class Operation, class A, class B>
constexpr auto fit_in_place() {
  constexpr violation v = check_in_place(Operation::in_place, describe<A>(), describe<B>(), std::is_const_v<A>);
  if constexpr (v.holds())
    return nothing_to_say{};
  else
    return decltype(reason<v>()){};
}
template <class Operation, class A, class B>
constexpr A& operate_in_place(A& a, const B& b) {
  if constexpr (std::is_same_v<decltype(fit_in_place<Operation, A, B>()), nothing_to_say> && values_combine<A, B>)
    update(Operation{}, a, in_order_of_sums<true>(b));
  else
    refused(a, b);
  return a;
}

// ---- + - * / of fragments, rows and numbers

/// Numbers are handed over by value, and so have functions of their own: a reference to a constant of the user's
/// namespace is nothing that device code can follow, and nvcc makes a trap of it without a word.
template <class A, class B>
concept in_body = (body_value<A> || body_value<B>) && !arithmetic<A> && !arithmetic<B>;
/// B changes A.
template <class B, class A>
concept changes = (body_value<A> || body_value<B>) && !arithmetic<B>;
template <class A, class B>
inline constexpr bool multiplies_tiles = factor<A>::left&& factor<B>::right;
/// A product goes into an accumulator asynchronously: see fragment.
template <class A, class B>
inline constexpr bool accumulates = kind_of_value<A> == value_kind::fragment&& kind_of_value<B> == value_kind::product;

template <class A, in_body<A> B>
constexpr auto operator+(const A& a, const B& b) {
  static_assert(decltype(fit<sum_of_two, A, B>())::verified);
  return operate<sum_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr auto operator+(const A& a, B b) {
  static_assert(decltype(fit<sum_of_two, A, B>())::verified);
  return operate<sum_of_two>(a, b);
}
template <arithmetic A, body_value B>
constexpr auto operator+(A a, const B& b) {
  static_assert(decltype(fit<sum_of_two, A, B>())::verified);
  return operate<sum_of_two>(a, b);
}
template <class A, in_body<A> B>
constexpr auto operator-(const A& a, const B& b) {
  static_assert(decltype(fit<difference_of_two, A, B>())::verified);
  return operate<difference_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr auto operator-(const A& a, B b) {
  static_assert(decltype(fit<difference_of_two, A, B>())::verified);
  return operate<difference_of_two>(a, b);
}
template <arithmetic A, body_value B>
constexpr auto operator-(A a, const B& b) {
  static_assert(decltype(fit<difference_of_two, A, B>())::verified);
  return operate<difference_of_two>(a, b);
}
template <class A, in_body<A> B>
requires(!multiplies_tiles<A, B>)
constexpr auto operator*(const A& a, const B& b) {
  static_assert(decltype(fit<product_of_two, A, B>())::verified);
  return operate<product_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr auto operator*(const A& a, B b) {
  static_assert(decltype(fit<product_of_two, A, B>())::verified);
  return operate<product_of_two>(a, b);
}
template <arithmetic A, body_value B>
constexpr auto operator*(A a, const B& b) {
  static_assert(decltype(fit<product_of_two, A, B>())::verified);
  return operate<product_of_two>(a, b);
}
template <class A, in_body<A> B>
constexpr auto operator/(const A& a, const B& b) {
  static_assert(decltype(fit<quotient_of_two, A, B>())::verified);
  return operate<quotient_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr auto operator/(const A& a, B b) {
  static_assert(decltype(fit<quotient_of_two, A, B>())::verified);
  return operate<quotient_of_two>(a, b);
}
template <arithmetic A, body_value B>
constexpr auto operator/(A a, const B& b) {
  static_assert(decltype(fit<quotient_of_two, A, B>())::verified);
  return operate<quotient_of_two>(a, b);
}
template <class A, changes<A> B>
requires(!accumulates<A, B>)
constexpr A& operator+=(A& a, const B& b) {
  static_assert(decltype(fit_in_place<sum_of_two, A, B>())::verified);
  return operate_in_place<sum_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr A& operator+=(A& a, B b) {
  static_assert(decltype(fit_in_place<sum_of_two, A, B>())::verified);
  return operate_in_place<sum_of_two>(a, b);
}
template <class A, changes<A> B>
requires(!accumulates<A, B>)
constexpr A& operator-=(A& a, const B& b) {
  static_assert(decltype(fit_in_place<difference_of_two, A, B>())::verified);
  return operate_in_place<difference_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr A& operator-=(A& a, B b) {
  static_assert(decltype(fit_in_place<difference_of_two, A, B>())::verified);
  return operate_in_place<difference_of_two>(a, b);
}
template <class A, changes<A> B>
constexpr A& operator*=(A& a, const B& b) {
  static_assert(decltype(fit_in_place<product_of_two, A, B>())::verified);
  return operate_in_place<product_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr A& operator*=(A& a, B b) {
  static_assert(decltype(fit_in_place<product_of_two, A, B>())::verified);
  return operate_in_place<product_of_two>(a, b);
}
template <class A, changes<A> B>
constexpr A& operator/=(A& a, const B& b) {
  static_assert(decltype(fit_in_place<quotient_of_two, A, B>())::verified);
  return operate_in_place<quotient_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr A& operator/=(A& a, B b) {
  static_assert(decltype(fit_in_place<quotient_of_two, A, B>())::verified);
  return operate_in_place<quotient_of_two>(a, b);
}

/// Sums that four lanes share are added and scaled lane by lane; a scale must be the complete number of its row.
template <class R, class Rows>
constexpr partial_rows<R, Rows> operator+(const partial_rows<R, Rows>& x, const partial_rows<R, Rows>& y) {
  return {x.share + y.share};
}
template <class R, class Rows, class Y>
requires(values_combine<row_numbers<R, Rows>, Y> && !arithmetic<Y>) constexpr partial_rows<R, Rows> operator*(
    const partial_rows<R, Rows>& x, const Y& y) {
  return {x.share * y};
}
template <class R, class Rows, arithmetic Y>
constexpr partial_rows<R, Rows> operator*(const partial_rows<R, Rows>& x, Y y) {
  return {x.share * y};
}
template <class R, class Rows>
constexpr partial_rows<R, Rows>& operator+=(partial_rows<R, Rows>& x, const partial_rows<R, Rows>& y) {
  return x = x + y;
}
template <class R, class Rows, class Y>
requires(values_combine<row_numbers<R, Rows>, Y> && !arithmetic<Y>) constexpr partial_rows<R, Rows>& operator*=(
    partial_rows<R, Rows>& x, const Y& y) {
  return x = x * y;
}
template <class R, class Rows, arithmetic Y>
constexpr partial_rows<R, Rows>& operator*=(partial_rows<R, Rows>& x, Y y) {
  return x = x * y;
}

// ---- functions of each element

/// -x, exactly. (A factor of a product is negated by the instruction: see tile.hpp.)
template <class X>
requires(body_value<X> && !factor<X>::left) constexpr auto operator-(const X& x) {
  static_assert(decltype(fit<negative_of_one, X>())::verified);
  return operate<negative_of_one>(x);
}
/// 2 to the power x (ex2.approx.ftz).
template <function_argument X, class... More>
constexpr auto exp2(const X& x, const More&... more) {
  static_assert(decltype(fit<power_of_two, X, More...>())::verified);
  return operate<power_of_two>(x, more...);
}
/// 1 / x, rounded to nearest.
template <body_value X>
constexpr auto reciprocal(const X& x) {
  static_assert(decltype(fit<reciprocal_of_one, X>())::verified);
  return operate<reciprocal_of_one>(x);
}
/// Of a number that a run decides.
template <is_staged X>
constexpr auto reciprocal(X x) { return 1.0f / x; }
template <class R, class Rows>
constexpr row_numbers<R, Rows> reciprocal(const partial_rows<R, Rows>& x) {
  return reciprocal(x.total());
}
/// The larger and the smaller of two numbers; a number goes before a NaN.
template <class A, in_body<A> B>
constexpr auto max(const A& a, const B& b) {
  static_assert(decltype(fit<larger_of_two, A, B>())::verified);
  return operate<larger_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr auto max(const A& a, B b) {
  static_assert(decltype(fit<larger_of_two, A, B>())::verified);
  return operate<larger_of_two>(a, b);
}
template <arithmetic A, body_value B>
constexpr auto max(A a, const B& b) {
  static_assert(decltype(fit<larger_of_two, A, B>())::verified);
  return operate<larger_of_two>(a, b);
}
template <class A, in_body<A> B>
constexpr auto min(const A& a, const B& b) {
  static_assert(decltype(fit<smaller_of_two, A, B>())::verified);
  return operate<smaller_of_two>(a, b);
}
template <body_value A, arithmetic B>
constexpr auto min(const A& a, B b) {
  static_assert(decltype(fit<smaller_of_two, A, B>())::verified);
  return operate<smaller_of_two>(a, b);
}
template <arithmetic A, body_value B>
constexpr auto min(A a, const B& b) {
  static_assert(decltype(fit<smaller_of_two, A, B>())::verified);
  return operate<smaller_of_two>(a, b);
}
/// x, but no less than `least` and no more than `most`; of a NaN, `least`.
template <class X, class Least, class Most>
requires(body_value<X> || is_staged<X>) constexpr auto clamp(const X& x, const Least& least, const Most& most) {
  if constexpr (arithmetic<Least> && arithmetic<Most> && requires { x.reading->note_meaningless(""); })
    if (least > most)
      x.reading->note_meaningless(
          "clamp(x, least, most) with a least above the most makes all numbers the most: the smaller bound comes "
          "first");
  if constexpr (arithmetic<Least> && arithmetic<Most>)
    return min(max(x, Least(least)), Most(most));
  else
    return min(max(x, least), most);
}
template <class R, class Rows>
constexpr partial_max<R, Rows> max(const partial_max<R, Rows>& x, const partial_max<R, Rows>& y) {
  return {max(x.share, y.share)};
}
/// x * y + z, rounded once.
template <class X, class Y, class Z>
requires((body_value<X> || body_value<Y> || body_value<Z>)&&arithmetic<X> ==
         (arithmetic<Y> || arithmetic<Z>)) constexpr auto fma(const X& x, const Y& y, const Z& z) {
  static_assert(decltype(fit<product_and_sum, X, Y, Z>())::verified);
  return operate<product_and_sum>(x, y, z);
}
template <arithmetic X, class Y, in_body<Y> Z>
constexpr auto fma(X x, const Y& y, const Z& z) {
  static_assert(decltype(fit<product_and_sum, X, Y, Z>())::verified);
  return operate<product_and_sum>(x, y, z);
}
template <class X, arithmetic Y, in_body<X> Z>
constexpr auto fma(const X& x, Y y, const Z& z) {
  static_assert(decltype(fit<product_and_sum, X, Y, Z>())::verified);
  return operate<product_and_sum>(x, y, z);
}
template <class X, in_body<X> Y, arithmetic Z>
constexpr auto fma(const X& x, const Y& y, Z z) {
  static_assert(decltype(fit<product_and_sum, X, Y, Z>())::verified);
  return operate<product_and_sum>(x, y, z);
}
template <body_value X, arithmetic Y, arithmetic Z>
constexpr auto fma(const X& x, Y y, Z z) {
  static_assert(decltype(fit<product_and_sum, X, Y, Z>())::verified);
  return operate<product_and_sum>(x, y, z);
}

}  // namespace sectile
