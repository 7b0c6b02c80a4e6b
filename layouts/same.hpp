#pragma once
// Whether two layouts are the same function of the index, and where they first are not.

#include <type_traits>

#include <sectile/layouts/coalesce.hpp>
#include <sectile/layouts/coordinate.hpp>
#include <sectile/layouts/finding.hpp>
#include <sectile/layouts/swizzled.hpp>

namespace sectile {

/// The most indices that are looked at one by one, in constant evaluation and at run time.
inline constexpr std::int64_t most_compared = std::int64_t{1} << 24;

namespace detail {

/// As a swizzled layout, without a swizzle that does nothing.
constexpr swizzled_layout behind_swizzle(const layout& l) { return {swizzle{0, 4, 3}, 0, l}; }
constexpr swizzled_layout behind_swizzle(const swizzled_layout& l) { return l; }

/// Whether two layouts of equal size are one function because they are the same one, written differently. (The
/// coalesced form is the only one of its function.)
constexpr bool coalesce_alike(const swizzled_layout& a, const swizzled_layout& b) {
  const bool plain = a.pattern.bits == 0 && b.pattern.bits == 0;
  return (plain || a.pattern == b.pattern) && a.offset == b.offset && coalesce(a.inner) == coalesce(b.inner);
}

/// Mixed radix: one more than the index that is fastest to change to a difference. Of plain layouts it is enough to
/// look where a leaf of either begins: index 1, s0, s0 * s1, ...
constexpr std::int64_t first_step_that_differs(const layout& a, const layout& b) {
  std::int64_t nearest = size(a);
  for (const layout& l : {a, b}) {
    std::int64_t step = 1;
    for (int k = 0; k < l.form.leaves && step < nearest; ++k) {
      if (a(step) != b(step)) nearest = step;
      step *= l.leaf[k].shape;
    }
  }
  return nearest;
}

}  // namespace detail

/// The first index at which two layouts of equal size have different offsets; size(a) if there is none. Shapes do not
/// count: (4,8):(8,1) and ((2,2),8):((8,16),1) are one function. Refuses different sizes, and swizzled layouts with
/// more than most_compared elements whose equality does not show in their form.
template <class A, class B>
constexpr std::int64_t first_difference(const A& a, const B& b) {
  const swizzled_layout left = detail::behind_swizzle(a), right = detail::behind_swizzle(b);
  const std::int64_t all = size(left);
  if (all != size(right))
    throw layout_error("layouts ", a, " and ", b, " have ", all, " and ", size(right), " elements");
  if (detail::coalesce_alike(left, right)) return all;
  if (left.pattern.bits == 0 && right.pattern.bits == 0 && left.offset == right.offset)
    return detail::first_step_that_differs(left.inner, right.inner);
  for (std::int64_t i = 0; i < all; ++i) {
    if (left(i) != right(i)) return i;
    if (i >= most_compared)
      throw layout_error("layouts ", a, " and ", b, " have too many elements to compare them all");
  }
  return all;
}

/// Whether two layouts, swizzled or not, have the same size and the same offset at every index.
template <class A, class B>
constexpr bool same_function(const A& a, const B& b) {
  return size(a) == size(b) && first_difference(a, b) == size(a);
}

/// The same as a finding: both layouts, and the first index at which they differ.
///
///   static_assert(st::holds<st::compare(mine, theirs)>);
template <class A, class B>
constexpr finding compare(const A& a, const B& b) {
  const swizzled_layout left = detail::behind_swizzle(a), right = detail::behind_swizzle(b);
  if (size(a) != size(b)) {
    return found(check_rule::sizes_differ, a, " has ", size(a), " elements and ", b, " has ", size(b))
        .with(size(a), size(b));
  }
  const std::int64_t i = first_difference(a, b);
  if (i == size(a)) return {};
  return found(check_rule::layouts_differ, a, " and ", b, " differ first at index ", i, ", coordinate ",
               idx2crd(i, shape(left.inner)), " of the one: offsets ", left(i), " and ", right(i))
      .with(i, left(i), right(i));
}

}  // namespace sectile
