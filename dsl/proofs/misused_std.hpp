// std::max, std::min and std::clamp among values of a body. Their parameters are of one type, so a compiler that is
// given a fragment and a number lists every overload that it could not deduce, in some fifty lines, before anything of
// this language is asked. Only what stands in their own namespace is asked as well.
//
// The standard leaves open what becomes of a program that declares functions in std. These take part only where a value
// of this language is given with something of another type, a call that has no function otherwise.
#pragma once
#include <concepts>
#include <sectile/dsl/program/misuse.hpp>

namespace sectile {

constexpr violation check_std_call(const char* call, const char* right, const described& a, const described& b) {
  if (a.kind == value_kind::refused || b.kind == value_kind::refused) return {};
  violation v{.what = rule::max_and_min_are_written_without_std};
  v.add("std::"), v.add(call), v.add("() with "), v << a, v.add(" and "), v << b;
  v.add(": write "), v.add(right), v.add(", without std::");
  return v;
}
template <class X>
concept stands_in_a_body = is_staged<X> || is_body_value<X>;
/// (Calls with two of one type, all those that there are, are not looked at further.)
template <class A, class B>
concept std_has_none_for = !std::same_as<A, B> && (stands_in_a_body<A> || stands_in_a_body<B>);

}  // namespace sectile

namespace std {

template <class A, class B>
requires sectile::std_has_none_for<A, B>
constexpr auto max(const A& a, const B& b) {
  using namespace sectile;
  static_assert(decltype(reason<check_std_call("max", "max(a, b)", describe<A>(), describe<B>())>())::verified);
  if constexpr (staged_pair<A, B>)
    return sectile::max(a, b);
  else
    return refused(a, b);
}
template <class A, class B>
requires sectile::std_has_none_for<A, B>
constexpr auto min(const A& a, const B& b) {
  using namespace sectile;
  static_assert(decltype(reason<check_std_call("min", "min(a, b)", describe<A>(), describe<B>())>())::verified);
  if constexpr (staged_pair<A, B>)
    return sectile::min(a, b);
  else
    return refused(a, b);
}
template <class X, class Low, class High>
requires sectile::std_has_none_for<X, Low>
constexpr sectile::refused_value clamp(const X& x, const Low& low, const High&) {
  using namespace sectile;
  static_assert(
      decltype(reason<check_std_call("clamp", "min(max(x, a), b)", describe<X>(), describe<Low>())>())::verified);
  return refused(x, low);
}

}  // namespace std
