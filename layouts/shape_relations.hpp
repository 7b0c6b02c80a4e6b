#pragma once
// How shapes fit each other, beside congruent(), weakly_congruent() and compatible() of int_tuple.hpp.

#include <sectile/layouts/modes.hpp>

namespace sectile {

/// Whether some multiple of a, leaf by leaf, is compatible with b: a tiles b evenly. 4 <= (2,4), not 3.
constexpr bool weakly_compatible(const int_tuple& a, const int_tuple& b) {
  return detail::holds_at_leaves(a, b,
                                 [](std::int64_t leaf, std::int64_t size) { return leaf != 0 && size % leaf == 0; });
}

/// Whether a, divided leaf by leaf, is compatible with b: b tiles a evenly. 16 <= (2,4), not 12.
constexpr bool softly_compatible(const int_tuple& a, const int_tuple& b) {
  return detail::holds_at_leaves(a, b,
                                 [](std::int64_t leaf, std::int64_t size) { return size != 0 && leaf % size == 0; });
}

/// Whether each number of a is less than the one in its place in b: a coordinate lies within a shape. Refuses tuples of
/// different parentheses.
constexpr bool elem_less(const int_tuple& a, const int_tuple& b) {
  if (!congruent(a, b)) throw layout_error("elem_less: ", a, " and ", b, " have different profiles");
  for (int k = 0; k < a.form.leaves; ++k) {
    if (a.leaf[k] >= b.leaf[k]) return false;
  }
  return true;
}

}  // namespace sectile
