// What cannot be done with a value of a body: declared here, and said why in misuse.hpp.
#pragma once
#include <sectile/dsl/program/refusal.hpp>

namespace sectile {

/// A refused value (see refusal.hpp) that is taken apart in two.
struct refused_place {
  refused_value value{}, column{};
  constexpr operator float() const { return 0; }
  constexpr refused_place& operator=(const refused_value&) { return *this; }
};

/// It is taken for a number, as in float y = acc, std::exp(acc) or if (acc > 0).
template <class X>
constexpr violation no_number();
/// One element of it is asked for.
template <class X>
constexpr violation no_element();
/// It is asked to transpose itself.
template <class X>
constexpr violation no_transpose_of_its_own();
/// It is asked for another type.
template <class X>
constexpr violation no_cast_of_its_own();
/// Numbers that are complete are asked for their total.
template <class X>
constexpr violation no_total();
/// A is set to B; a fragment to anything but a number, for all of its elements.
template <class A, class B>
constexpr violation no_rows();
template <class A, class B>
constexpr violation no_filling();
/// What becomes of refused values. The body is marked as refused, where they know its reading.
template <class... X>
constexpr refused_value refused(const X&...);
/// x = a number everywhere.
template <class A, class B>
constexpr void fill(A& x, const B&);

}  // namespace sectile
