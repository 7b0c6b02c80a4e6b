// What cannot be done with an operand or a value of a body: declared here, and said why in misuse.hpp.
#pragma once
#include <cstdint>

#include <sectile/dsl/program/refusal.hpp>

namespace sectile {

/// A refused value (see refusal.hpp) that is taken apart in two.
struct refused_place {
  refused_value value{}, column{};
  constexpr operator float() const { return 0; }
  constexpr refused_place& operator=(const refused_value&) { return *this; }
};

/// What is asked of an operand or of a value of a body that has no such thing.
enum class asked_for : std::uint8_t {
  number,     ///< it is taken for one, as in float y = acc, std::exp(acc) or if (acc > 0)
  element,    ///< one of it is named
  transpose,  ///< of its own, by A.T()
  cast,       ///< of its own, by acc.to(..)
  total,      ///< of numbers that are complete
  range,      ///< a loop over what counts tiles
  part,       ///< an element of an operand
  modes,      ///< tiles, sizes or extents of an operand in another way than by the name of a mode
  copy,       ///< to load or store, which sm does
};
/// Why X has none.
template <asked_for What, class X>
constexpr violation no_use();
/// A is set to B; a fragment to anything but a number, for all of its elements.
template <class A, class B>
constexpr violation no_rows();
template <class A, class B>
constexpr violation no_filling();
/// What stands in braces, or anything else: coordinates of what is refused.
struct any_coordinates {
  template <class... X>
  constexpr any_coordinates(const X&...) {}
  constexpr any_coordinates(...) {}
};
/// A member function that a value X of K's body does not have: a call says why. The reading ends with it where it can,
/// because the value that says that the body was refused is not at hand.
template <asked_for What, class X, class K, class Result = refused_value>
struct no_member {
  template <class... More>
  constexpr Result operator()(any_coordinates = {}, any_coordinates = {}, const More&...) const {
    static_cast<void>(sizeof(note<member_refusal<K>>));
    using why = decltype(reason<no_use<What, X>()>());
    static_assert(why::asserted);
    [[maybe_unused]] constexpr bool known = why::verified;
    return {};
  }
};
/// What becomes of refused values. The body is marked as refused, where they know its reading.
template <class... X>
constexpr refused_value refused(const X&...);
/// x = a number everywhere.
template <class A, class B>
constexpr void fill(A& x, const B&);

}  // namespace sectile
