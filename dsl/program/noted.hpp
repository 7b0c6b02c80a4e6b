// What a compiler has come by in a body, remembered by types, and whether a body was read to its end.
//
// What ordinary C++ forbids (three names for two coordinates, a name that nobody has declared) a compiler says by
// itself, in a line or two. Then it says of the same body that it is no constant, and of all that calls it, which is no
// news. So notes are taken while it reads, and a body that is known to be wrong is not asked for its value: all that
// follows is that it is not verified.
//
// A note is a function that is declared, and defined once somebody names note<X>.
#pragma once
#include <sectile/layouts/free_letters.hpp>

#include <cstdint>
#include <type_traits>

namespace sectile {

/// A number was refused, of whichever body. It mostly goes on to a function of the standard library, as in
/// std::exp(acc), which is no constant to clang++.
template <class Anywhere>
struct number_refusal;
/// A condition or a number that a run decides was taken for a constant, in whichever body: a function that does so is
/// none that a compiler could follow.
template <class Anywhere>
struct path_refusal;
/// An X was compared, and that was refused: if it is taken for a number next, as in a > 0 ? a : 0, that is no news.
template <class X>
struct comparison_refusal;
/// K's body has asked a value for a member that it does not have, or given() for other operands than it has.
template <class K>
struct member_refusal;
/// void, as an alias that a compiler looks at when it knows X.
template <class X>
using asked_with = std::conditional_t<std::is_class_v<X>, void, X>;
/// K's body has asked for its work, by sm.tile_of() or the like, or it has stored something.
template <class K>
struct work_is_asked_for;
template <class K>
struct something_is_stored;

/// How the reading of a body ends: with all that it says, with the compiler's word why not, or with that of C++ itself.
enum class reading_ends : std::uint8_t { well, in_a_refusal, in_an_error };
constexpr reading_ends ends(bool well) { return well ? reading_ends::well : reading_ends::in_a_refusal; }

#if defined(__CUDACC__)
template <class X>
struct note {};
template <class X>
constexpr bool has_noted() {
  return false;
}
template <class K>
constexpr bool has_refused_a_path() {
  return false;
}
template <class K>
constexpr bool is_in_error() {
  return false;
}
template <class K, class Read>
constexpr reading_ends end_of(int, Read read) {
  return ends(read());
}
#else

#pragma GCC diagnostic push
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wundefined-inline"
#else
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
template <class X>
struct noted {
  friend constexpr bool was_noted(noted);
};
#pragma GCC diagnostic pop
template <class X>
struct note {
  friend constexpr bool was_noted(noted<X>) { return true; }
};
/// Asked once for each X: when the body has been read.
template <class X>
constexpr bool has_noted() {
  return requires { typename std::bool_constant<was_noted(noted<X>{})>; };
}
/// The same of what is noted of whichever body, when K's has been read.
template <class K>
constexpr bool has_refused_a_path() {
  return requires { typename std::bool_constant<was_noted(noted<path_refusal<asked_with<K>>>{})>; };
}
/// Whether C++ forbids something in K's body. An expression with a mistake in it is left out of what a compiler goes on
/// with, and in the end the stores are. (Of a body that is not constexpr it has not seen the beginning yet.)
template <class K>
constexpr bool is_in_error() {
  return has_noted<work_is_asked_for<K>>() && !has_noted<something_is_stored<K>>() && !has_noted<member_refusal<K>>();
}

/// How `read` ends, a lambda that reads K's body. Called with 0, which chooses.
#if defined(__clang__)
template <class K, class Read>
constexpr reading_ends end_of(int, Read read) {
  if constexpr (__builtin_constant_p(Read{}()) && !has_noted<member_refusal<K>>()) {
    return ends(read());
  } else if constexpr (has_noted<number_refusal<asked_with<K>>>() || has_noted<member_refusal<K>>()) {
    return reading_ends::in_a_refusal;
  } else if constexpr (is_in_error<K>()) {
    return reading_ends::in_an_error;
  } else {
    static_assert(Read{}(), "a body has to be constexpr");
    return reading_ends::in_a_refusal;
  }
}
#else
template <class K, class Read, bool Well = Read{}()>
constexpr reading_ends end_of(int, Read) {
  return ends(Well && !has_noted<member_refusal<K>>());
}
template <class K, class Read>
constexpr reading_ends end_of(long, Read read) {
  if constexpr (is_in_error<K>())
    return reading_ends::in_an_error;
  else if constexpr (has_noted<member_refusal<K>>())
    return reading_ends::in_a_refusal;
  else
    return ends(read());  // which names what is no constant
}
#endif
#endif

}  // namespace sectile
