#pragma once
// A hierarchical tuple of integers such as (4,(2,8)): a shape, a stride, a coordinate or a profile. A leaf may also
// be the wildcard _ ("all of this mode"), which slicing understands.

#include <cstdint>
#include <type_traits>

#include <sectile/layouts/nesting.hpp>

namespace sectile {

/// The wildcard _ of slicing: "all of this mode". An enumerator, because device code may not name global objects.
enum underscore : int { _ };

/// A nesting with one integer per leaf. Integers and _ convert to it; make_shape() and its kin build tuples.
struct int_tuple {
  /// How a leaf holds the wildcard.
  static constexpr std::int64_t any = INT64_MIN;

  nesting form;
  std::int64_t leaf[max_leaves] = {};

  constexpr int_tuple() = default;
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  constexpr int_tuple(I value) : leaf{static_cast<std::int64_t>(value)} {}
  constexpr int_tuple(underscore) : leaf{any} {}

  friend constexpr bool operator==(const int_tuple&, const int_tuple&) = default;
};

/// Prints in CuTe's notation: (4,(2,_)).
constexpr void print(message& to, const int_tuple& t) {
  print_tree(to, t.form, [&](int k) { t.leaf[k] == int_tuple::any ? to.add('_') : to.add(t.leaf[k]); });
}

/// Whether a * b and its negation fit 64 bits.
constexpr bool product_fits(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return true;
  return a != INT64_MIN && b != INT64_MIN && (a < 0 ? -a : a) <= INT64_MAX / (b < 0 ? -b : b);
}

/// Whether a + b fits 64 bits.
constexpr bool sum_fits(std::int64_t a, std::int64_t b) { return b >= 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b; }

/// a * b. Refuses a result that does not fit 64 bits.
constexpr std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
  if (!product_fits(a, b)) throw layout_error(a, " * ", b, " does not fit 64 bits");
  return a * b;
}

/// a + b. Refuses a result that does not fit 64 bits.
constexpr std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  if (!sum_fits(a, b)) throw layout_error(a, " + ", b, " does not fit 64 bits");
  return a + b;
}

/// Quotient of positive a and b, rounded up.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a - 1) / b + 1; }

/// Product of the leaves (1 for the empty tuple). Refuses overflow.
constexpr std::int64_t product(const int_tuple& t) {
  std::int64_t result = 1;
  for (int k = 0; k < t.form.leaves; ++k) result = checked_multiply(result, t.leaf[k]);
  return result;
}

/// Whether any leaf is the wildcard.
constexpr bool has_underscore(const int_tuple& t) {
  for (int k = 0; k < t.form.leaves; ++k) {
    if (t.leaf[k] == int_tuple::any) return true;
  }
  return false;
}

/// Whether the two have the same parentheses; or, weakly, whether b's refine a's.
constexpr bool congruent(const int_tuple& a, const int_tuple& b) { return a.form == b.form; }
constexpr bool weakly_congruent(const int_tuple& a, const int_tuple& b) { return weakly_congruent(a.form, b.form); }

namespace detail {

/// Whether `fits`(leaf of a, size of the part of b under it) holds at every leaf of a. False where b does not refine a.
template <class Fits>
constexpr bool holds_at_leaves(const int_tuple& a, const int_tuple& b, Fits fits) {
  if (!weakly_congruent(a, b)) return false;
  refinement walk(a.form);
  std::int64_t size = 1;
  for (int k = 0; k < b.form.leaves; ++k) {
    size = checked_multiply(size, b.leaf[k]);
    if (!walk.step(a.form, b.form, k)) continue;
    if (!fits(a.leaf[walk.leaf], size)) return false;
    walk.next(a.form);
    size = 1;
  }
  return true;
}

}  // namespace detail

/// Whether every coordinate of shape a is also one of shape b: equal sizes wherever a has a leaf, so that b only
/// splits modes of a further. A partial order: 8 <= (2,4) <= (2,(2,2)).
constexpr bool compatible(const int_tuple& a, const int_tuple& b) {
  return detail::holds_at_leaves(a, b, [](std::int64_t leaf, std::int64_t size) { return leaf == size; });
}

}  // namespace sectile
