// What a body knows only when it runs: coordinates, sizes, numbers of tiles and of trips, scalars.
//
// A body is read several times, by the planner, the proofs and each role of the kernel, and all of them must pass the
// same operations. So what a run decides has a type of its own, which computes but does not decide: comparisons give a
// `condition`, and neither becomes a bool or an int. A run-time `if`, `?:`, `while` or array index does not compile;
// plain ints and bools are what is known when the kernel is compiled. (Lightweight modular staging: Rompf and Odersky,
// 2010.)
//
// A number also knows along which mode it counts, as a quantity knows its unit: what counts along K is no coordinate of
// a tile along M. Constants go along any mode. To cross from one mode to another is said: as<"T">(x).
//
// And it knows whether it hangs on where the work's tile lies. CTAs of a cluster have tiles beside each other: what
// hangs on a tile's row or column may be another number in each of them, so it does not say how often they load
// together.
#pragma once
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include <sectile/dsl/program/noted.hpp>
#include <sectile/dsl/program/operand.hpp>

namespace sectile {

template <class X>
concept arithmetic = std::is_arithmetic_v<X>;

/// Why what a run decides is not the C++ value that somebody takes it for.
constexpr violation check_path(const char* what, const mode_text& along) {
  return refuse(rule::path_depends_on_a_run_time_value, what, along.text[0] ? " along " : "", along.text,
                " that is known only at run time decides nothing in a body. Use select(), min(), max() or mask(); a "
                "loop is sm.pipelined(n), and an if is such a loop of 0 or 1 trips");
}
constexpr violation check_known(const char* wanted, const mode_text& along) {
  return refuse(rule::path_depends_on_a_run_time_value, "a number", along.text[0] ? " along " : "", along.text,
                " that is known only at run time becomes no ", wanted,
                wanted[0] == 'f' ? ": keep it as auto, which + - * /, min, max and select take; a function gets it as "
                                   "a value: map(x, number, f)"
                                 : ": keep it as auto. Arrays and switch take constants; a loop is sm.pipelined(n), a "
                                   "choice select(), and f gets it by map(x, number, f)");
}
/// Why a number, or a condition, along M is no X. The reading ends with it where it can: what stands behind a path that
/// nobody has taken would be wrong as well.
template <class X, mode_id M = mode_id::any>
constexpr violation no_constant(const char* what = "a number") {
  return std::is_same_v<X, bool> ? check_path(what, text_of(M))
                                 : check_known(std::is_floating_point_v<X> ? "float" : "int", text_of(M));
}
/// The same of an X, unless it was compared with a value of the body, which was refused: a > x ? x : a.
template <class T, class X>
constexpr violation no_constant_again() {
  if constexpr (has_noted<comparison_refusal<X>>())
    return {};
  else
    return no_constant<T, X::counts_along>();
}

/// What a number hangs on: places of the work's tile, a bit each, that are others in other CTAs of a cluster. One that
/// is a coordinate of that tile, and not made of any, says which: see own_coordinate().
using hangs_on = unsigned;
inline constexpr hangs_on of_no_place = 0, of_tile_col = 1, of_tile_row = 2, of_any_place = of_tile_col | of_tile_row;
/// Said of a condition that compares an int with a number of tiles, as a mask may compare a column.
inline constexpr hangs_on of_counted_tiles = 1u << 31;
constexpr hangs_on own_coordinate(int d) { return static_cast<hangs_on>(d + 1) << 2; }
/// Which coordinate a number is; -1: none.
constexpr int coordinate_in(hangs_on places) { return static_cast<int>(places >> 2 & 7) - 1; }
/// Said of such a coordinate and what is made of it by + and -, as m + 1: they count tiles of that mode's extent. What
/// is multiplied or divided may count anything.
constexpr hangs_on in_tiles_of(hangs_on places) {
  const hangs_on own = places >> 2 & 7;
  return own != 0 ? own << 5 : places & 7u << 5;
}
/// Along which coordinate such a number counts tiles; -1: none.
constexpr int tiles_along(hangs_on places) { return static_cast<int>(in_tiles_of(places) >> 5) - 1; }

template <class X>
constexpr violation no_assignment(mode_id to, hangs_on places);

template <std::same_as<bool> Known, hangs_on On, mode_id Against>
class staged_condition;
template <arithmetic T, mode_id M, hangs_on On>
class staged;

/// For the readings of a body, which alone look inside.
struct staged_access {
  template <class T, mode_id M, hangs_on On>
  static constexpr T value(const staged<T, M, On>& x) {
    return x.value_;
  }
  template <hangs_on On, mode_id Against>
  static constexpr bool value(const staged_condition<bool, On, Against>& x) {
    return x.holds_;
  }
  template <arithmetic T>
  static constexpr T value(const T& x) {
    return x;
  }
};

/// What a comparison of run-time values gives: it selects and masks, and is no bool. (A template, so that what refuses
/// is compiled only where it is used.) `Against`: along which mode the number counts that an int was compared with, as
/// a mask compares a column.
template <std::same_as<bool> Known, hangs_on On = of_no_place, mode_id Against = mode_id::any>
class staged_condition {
  Known holds_ = false;
  friend staged_access;

 public:
  static constexpr hangs_on places = On;
  constexpr staged_condition() = default;
  constexpr staged_condition(std::same_as<bool> auto known) : holds_(known) {}  // implicit on purpose: c && known
  template <mode_id Other>
  requires(Other != Against) constexpr staged_condition(const staged_condition<Known, On, Other>& x)
      : holds_(staged_access::value(x)) {}

  friend constexpr staged_condition operator!(staged_condition a) { return !a.holds_; }
  constexpr operator Known() const {
    using why = decltype(reason<no_constant<Known>("a condition")>());
    static_assert(why::asserted);
    constexpr bool known = why::verified;
    return known;
  }
};
using condition = staged_condition<bool>;
template <class X>
inline constexpr bool is_condition = false;
template <hangs_on On, mode_id Against>
inline constexpr bool is_condition<staged_condition<bool, On, Against>> = true;
/// Of what chooses: a condition, or a bool where that is known when the kernel is compiled.
template <class X>
concept known_or_not = is_condition<X> || std::same_as<X, bool>;

/// A number along mode M that is known when the kernel runs. Adds, subtracts, multiplies, divides and compares with its
/// like and with constants.
template <arithmetic T, mode_id M = mode_id::any, hangs_on On = of_no_place>
class staged {
  T value_{};
  friend staged_access;

 public:
  using number = T;
  static constexpr mode_id counts_along = M;
  static constexpr hangs_on places = On;
  constexpr staged() = default;
  template <std::same_as<T> Number>
  constexpr explicit staged(Number known) : value_(known) {}
  /// One that hangs on less: causal ? min(n, m) : n. Of one that may count anything no tiles are known.
  template <hangs_on Less>
  requires(Less != On && coordinate_in(On) < 0 && (Less & of_any_place & ~On) == 0 &&
           (in_tiles_of(On) == 0 || in_tiles_of(On) == in_tiles_of(Less))) constexpr staged(const staged<T, M, Less>& x)
      : value_(staged_access::value(x)) {}
  /// Refused: a variable goes on to be what it was declared as.
  template <class X>
  requires(!std::convertible_to<X, staged>) constexpr staged& operator=(const X&) {
    static_assert(decltype(reason<no_assignment<X>(M, On)>())::verified);
    return *this;
  }

  constexpr auto operator-() const { return staged<T, M, On & of_any_place>(static_cast<T>(-value_)); }
  constexpr explicit operator bool() const {
    using why = decltype(reason<no_constant<bool, M>()>());
    static_assert(why::asserted);
    constexpr bool known = why::verified;
    return known;
  }
  constexpr operator T() const {
    using why = decltype(reason<no_constant_again<T, staged>()>());
    static_assert(why::asserted);
    constexpr bool known = why::verified;
    return static_cast<T>(known);
  }
  /// In a static_cast of a count or a size, which needs none: acc / size<"K">(A).
  template <std::floating_point Number>
  requires(!std::is_same_v<Number, T>) constexpr explicit operator Number() const {
    using why = decltype(reason<no_constant<Number, M>()>());
    static_assert(why::asserted);
    constexpr bool known = why::verified;
    return static_cast<Number>(known);
  }
};

/// A count of tiles, a coordinate in tiles or elements, a size: along mode M.
template <mode_id M, hangs_on On = of_no_place>
using index = staged<int, M, On>;

template <class X>
constexpr auto plain(const X& x) {
  return staged_access::value(x);
}
/// The same as an int. What is more than one can be, 1ll << 40, is the largest, which no tensor has as many tiles as.
template <class X>
constexpr int plain_int(const X& x) {
  const auto n = plain(x);
  using N = std::remove_const_t<decltype(n)>;
  constexpr int most = std::numeric_limits<int>::max();
  if constexpr (std::is_integral_v<N> && std::numeric_limits<N>::digits > 31)
    return n > N{most} ? most : std::is_signed_v<N> && n < -N{most} ? -most : static_cast<int>(n);
  else
    return static_cast<int>(n);
}

template <class X>
concept is_staged = requires {
  X::counts_along;
};
template <class X>
constexpr hangs_on find_places() {
  if constexpr (is_condition<X>)
    return X::places & (of_any_place | of_counted_tiles);
  else if constexpr (is_staged<X>)
    return X::places & of_any_place;
  else
    return of_no_place;
}
/// What these hang on; what is known when the kernel is compiled hangs on nothing.
template <class... X>
inline constexpr hangs_on places_of = (of_no_place | ... | find_places<X>());
/// Which coordinate of the work's tile a number is; -1: none.
template <class X>
inline constexpr int own_coordinate_of = -1;
template <is_staged X>
inline constexpr int own_coordinate_of<X> = coordinate_in(X::places);
/// The mode that a number counts along.
template <class X>
inline constexpr mode_id mode_of = mode_id::any;
template <is_staged X>
inline constexpr mode_id mode_of<X> = X::counts_along;
/// in_tiles_of() a number.
template <class X>
inline constexpr hangs_on tiles_of = of_no_place;
template <is_staged X>
inline constexpr hangs_on tiles_of<X> = in_tiles_of(X::places);
/// The mode along which a condition compares an int with what may be a number of elements, or both do that it is made
/// of. (A coordinate of the work's tile is compared with a constant.)
template <class X>
inline constexpr mode_id compared_along = tiles_of<X> != of_no_place ? mode_id::any : mode_of<X>;
template <hangs_on On, mode_id Against>
inline constexpr mode_id compared_along<staged_condition<bool, On, Against>> = Against;
template <class A, class B>
inline constexpr mode_id compared_along<A(B)> = std::is_same_v<A, int>                   ? compared_along<B>
                                                : std::is_same_v<B, int>                 ? compared_along<A>
                                                : is_staged<A> || is_staged<B>           ? mode_id::any
                                                : compared_along<A> == compared_along<B> ? compared_along<A>
                                                                                         : mode_id::any;
template <class A, class B>
using condition_of = staged_condition<bool, places_of<A, B>, compared_along<A(B)>>;

template <class A, class B>
concept condition_pair = (is_condition<A> && (is_condition<B> || std::same_as<B, bool>)) ||
                         (std::same_as<A, bool> && is_condition<B>);
// All by value: nvcc has no address in device code for a static constant of a host class.
template <class A, condition_pair<A> B>
constexpr condition_of<A, B> operator&&(A a, B b) {
  return plain(a) && plain(b);
}
template <class A, condition_pair<A> B>
constexpr condition_of<A, B> operator||(A a, B b) {
  return plain(a) || plain(b);
}

/// What a body may use as a number: known or not.
template <class X>
concept staged_or_known = arithmetic<X> || is_staged<X>;
template <class A, class B>
concept staged_pair = (is_staged<A> && staged_or_known<B>) || (is_staged<B> && arithmetic<A>);

/// Why a number of mode `to` that hangs on `places` does not become an X: a variable has one type.
template <class X>
constexpr violation no_assignment(mode_id to, hangs_on places) {
  constexpr mode_id from = mode_of<X>;
  violation v = refuse(rule::values_do_not_combine, "a number", to == mode_id::any ? "" : " along ",
                       to == mode_id::any ? "" : text_of(to).text, " becomes ");
  if constexpr (!staged_or_known<X>)
    v << "what is no number";
  else if (from != to)
    v << "one along "
      << (from == mode_id::any     ? "no mode"
          : from == mode_id::mixed ? "several modes"
                                   : text_of(from).text);
  else if (((places | places_of<X>)&of_any_place) != (places & of_any_place))
    v << "one that hangs on where the tile lies";
  else
    v << (coordinate_in(places) < 0 ? "one that may count anything else than tiles"
                                    : "another than the tile's own coordinate");
  return v << "; give that a name of its own: auto n = ..";
}

/// Along which mode a sum counts: along any, if that was refused.
constexpr mode_id common_mode(mode_id a, mode_id b) {
  return a == mode_id::any ? b : b == mode_id::any || a == b ? a : mode_id::any;
}
/// What a sum or a choice of these counts tiles of: of a coordinate of the work's tile, if one of them does.
template <class A, class B>
constexpr hangs_on common_tiles() {
  constexpr hangs_on a = tiles_of<A>, b = tiles_of<B>;
  return a == b || b == of_no_place ? a : a == of_no_place ? b : of_no_place;
}
/// Along which mode a product or a quotient counts.
constexpr mode_id mode_of_product(mode_id a, mode_id b) {
  return a == mode_id::any || b == mode_id::any || a == b ? common_mode(a, b) : mode_id::mixed;
}
constexpr violation check_same_mode(const char* form, mode_id a, mode_id b) {
  if (a == mode_id::any || b == mode_id::any || a == b) return {};
  return refuse(rule::coordinate_is_along_another_mode, form, ": a counts along ",
                a == mode_id::mixed ? "several modes" : text_of(a).text, ", b along ",
                b == mode_id::mixed ? "several modes" : text_of(b).text, "; where that is meant, say so: as<\"",
                text_of(b == mode_id::mixed ? a : b).text, "\">(a)");
}

namespace detail {

/// What a comparison gives; where it was refused, something that is not refused again.
template <class A, class B>
using comparison = std::conditional_t<check_same_mode("", mode_of<A>, mode_of<B>).holds(), condition_of<A, B>, bool>;
template <class A, class B>
using common_number = decltype(plain(std::declval<const A&>()) + plain(std::declval<const B&>()));
/// A sum, or one of two numbers, along the mode of both; `On`: what a choice hangs on besides.
template <class A, class B, hangs_on On = of_no_place>
using sum_of =
    staged<common_number<A, B>, common_mode(mode_of<A>, mode_of<B>), On | places_of<A, B> | common_tiles<A, B>()>;
template <hangs_on On = of_no_place, class A, class B>
constexpr auto choose(bool first, A a, B b) {
  using common = common_number<A, B>;
  return sum_of<A, B, On>(first ? static_cast<common>(plain(a)) : static_cast<common>(plain(b)));
}
inline constexpr auto plus = [](auto a, auto b) { return a + b; };
inline constexpr auto minus = [](auto a, auto b) { return a - b; };
inline constexpr auto times = [](auto a, auto b) { return a * b; };
/// What a body on the host has worked out last that is hardly meant: a number that no int holds, and 1 / x of a whole x
/// that is more; 0: nothing. A launch looks there (prepare.cpp).
struct odd_numbers {
  std::int64_t more_than_an_int = 0;
  int divides_one = 0;
};
inline thread_local odd_numbers hardly_meant{};
/// f(a, b), a sum, difference or product; of whole numbers modulo 2^32, as the device has it: the planner tries a body
/// with sizes whose product no int holds.
template <class A, class B, class F>
constexpr auto wrapping(A a, B b, F f) {
  using common = decltype(f(a, b));
  if constexpr (std::is_integral_v<common>) {
    using bits = std::make_unsigned_t<common>;
    const auto result = static_cast<common>(f(static_cast<bits>(a), static_cast<bits>(b)));
#ifndef __CUDA_ARCH__
    if (std::is_same_v<common, int> && !std::is_constant_evaluated())
      if (const std::int64_t exact = f(std::int64_t{a}, std::int64_t{b}); exact != result)
        hardly_meant.more_than_an_int = exact;
#endif
    return result;
  } else {
    return f(a, b);
  }
}
/// a / b and a % b for every b: the planner tries a body with scalars that are 0, too. Floats are IEEE 754's, a whole
/// number by 0 is 0.
template <class A, class B>
constexpr auto quotient(A a, B b) {
  using common = decltype(a / b);
  if constexpr (!std::is_floating_point_v<common>)
    return b == 0 ? common{} : a / b;
  else if (std::is_constant_evaluated() && b == 0)
    return static_cast<common>(a > 0 ? __builtin_huge_val() : a < 0 ? -__builtin_huge_val() : __builtin_nan(""));
  else
    return a / b;
}
template <class A, class B>
constexpr auto remainder(A a, B b) {
  return b == 0 ? decltype(a % b){} : a % b;
}

}  // namespace detail

template <class A, staged_pair<A> B>
constexpr auto operator+(A a, B b) {
  static_assert(decltype(reason<check_same_mode("a + b", mode_of<A>, mode_of<B>)>())::verified);
  return detail::sum_of<A, B>(detail::wrapping(plain(a), plain(b), detail::plus));
}
template <class A, staged_pair<A> B>
constexpr auto operator-(A a, B b) {
  static_assert(decltype(reason<check_same_mode("a - b", mode_of<A>, mode_of<B>)>())::verified);
  return detail::sum_of<A, B>(detail::wrapping(plain(a), plain(b), detail::minus));
}
template <class A, staged_pair<A> B>
constexpr auto operator*(A a, B b) {
  return staged<detail::common_number<A, B>, mode_of_product(mode_of<A>, mode_of<B>), places_of<A, B>>(
      detail::wrapping(plain(a), plain(b), detail::times));
}
template <class A, staged_pair<A> B>
constexpr auto operator/(A a, B b) {
#ifndef __CUDA_ARCH__
  if constexpr (std::is_same_v<A, int> && std::is_same_v<detail::common_number<A, B>, int>)
    if (!std::is_constant_evaluated() && a == 1 && plain(b) > 1) detail::hardly_meant.divides_one = plain(b);
#endif
  return staged<detail::common_number<A, B>, mode_of_product(mode_of<A>, mode_of<B>), places_of<A, B>>(
      detail::quotient(plain(a), plain(b)));
}
template <class A, staged_pair<A> B>
constexpr auto operator%(A a, B b) {
  return staged<detail::common_number<A, B>, mode_of_product(mode_of<A>, mode_of<B>), places_of<A, B>>(
      detail::remainder(plain(a), plain(b)));
}
// Not for what is derived from them: a number of tiles stays one.
template <class A, class B>
requires(std::same_as<A, staged<typename A::number, A::counts_along, A::places>>&& staged_pair<A, B>) constexpr A&
operator+=(A& a, B b) {
  return a = a + b;
}
template <class A, class B>
requires(std::same_as<A, staged<typename A::number, A::counts_along, A::places>>&& staged_pair<A, B>) constexpr A&
operator-=(A& a, B b) {
  return a = a - b;
}

template <class A, staged_pair<A> B>
constexpr auto operator<(A a, B b) {
  static_assert(decltype(reason<check_same_mode("a < b", mode_of<A>, mode_of<B>)>())::verified);
  return detail::comparison<A, B>(plain(a) < plain(b));
}
template <class A, staged_pair<A> B>
constexpr auto operator<=(A a, B b) {
  static_assert(decltype(reason<check_same_mode("a <= b", mode_of<A>, mode_of<B>)>())::verified);
  return detail::comparison<A, B>(plain(a) <= plain(b));
}
template <class A, staged_pair<A> B>
constexpr auto operator>(A a, B b) {
  static_assert(decltype(reason<check_same_mode("a > b", mode_of<A>, mode_of<B>)>())::verified);
  return detail::comparison<A, B>(plain(a) > plain(b));
}
template <class A, staged_pair<A> B>
constexpr auto operator>=(A a, B b) {
  static_assert(decltype(reason<check_same_mode("a >= b", mode_of<A>, mode_of<B>)>())::verified);
  return detail::comparison<A, B>(plain(a) >= plain(b));
}
template <class A, staged_pair<A> B>
constexpr auto operator==(A a, B b) {
  static_assert(decltype(reason<check_same_mode("a == b", mode_of<A>, mode_of<B>)>())::verified);
  return detail::comparison<A, B>(plain(a) == plain(b));
}
template <class A, staged_pair<A> B>
constexpr auto operator!=(A a, B b) {
  static_assert(decltype(reason<check_same_mode("a != b", mode_of<A>, mode_of<B>)>())::verified);
  return detail::comparison<A, B>(plain(a) != plain(b));
}

namespace detail {

template <class T>
constexpr bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x != x;
  else
    return false;
}

}  // namespace detail

/// a if c holds, else b: both are worked out, and the path is the same.
template <known_or_not C, class A, class B>
requires(staged_or_known<A>&& staged_or_known<B>) constexpr auto select(C c, A a, B b) {
  static_assert(decltype(reason<check_same_mode("select(c, a, b)", mode_of<A>, mode_of<B>)>())::verified);
  return detail::choose<places_of<C> & of_any_place>(plain(c), a, b);
}
/// The larger and the smaller of two numbers; a number goes before a NaN, as in fragments.
template <class A, staged_pair<A> B>
constexpr auto min(A a, B b) {
  static_assert(decltype(reason<check_same_mode("min(a, b)", mode_of<A>, mode_of<B>)>())::verified);
  return detail::choose(!(plain(b) < plain(a) || detail::is_nan(plain(a))), a, b);
}
template <class A, staged_pair<A> B>
constexpr auto max(A a, B b) {
  static_assert(decltype(reason<check_same_mode("max(a, b)", mode_of<A>, mode_of<B>)>())::verified);
  return detail::choose(!(plain(a) < plain(b) || detail::is_nan(plain(a))), a, b);
}

/// The same number, along mode Name from here on: where a program crosses from one mode to another on purpose, as a
/// causal mask does that compares rows of scores with their columns.
template <name_literal Name, staged_or_known X>
constexpr auto as(X x) {
  constexpr hangs_on own = own_coordinate_of<X> < 0 ? of_no_place : own_coordinate(own_coordinate_of<X>);
  return staged<decltype(plain(x)), mode_named(Name.text), places_of<X> | own | tiles_of<X>>(plain(x));
}

}  // namespace sectile
