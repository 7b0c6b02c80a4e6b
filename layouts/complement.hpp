#pragma once
// The complement of a layout: the offsets that it leaves out, in order.

#include <utility>

#include <sectile/layouts/attempt.hpp>
#include <sectile/layouts/coalesce.hpp>

namespace sectile {

/// The leaves of a layout with the smallest strides first; among equal strides the order stays.
constexpr layout sorted_by_stride(layout flat) {
  for (int k = 1; k < flat.form.leaves; ++k) {
    for (int j = k; j > 0 && flat.leaf[j - 1].stride > flat.leaf[j].stride; --j)
      std::swap(flat.leaf[j - 1], flat.leaf[j]);
  }
  return flat;
}

/// The largest n for which every offset 0, 1, ..., n - 1 is reached by L. Precondition: no stride is negative.
constexpr std::int64_t contiguous_reach(const layout& l) {
  const layout sorted = sorted_by_stride(flatten(l));
  std::int64_t reach = 1;
  for (int k = 0; k < sorted.form.leaves; ++k) {
    if (sorted.leaf[k].stride > reach) break;
    reach = checked_add(reach, checked_multiply(sorted.leaf[k].shape - 1, sorted.leaf[k].stride));
  }
  return reach;
}

/// complement() that reports instead of throwing. (What does not fit 64 bits or max_leaves still throws.)
constexpr attempt try_complement(const layout& l, const int_tuple& cotarget) {
  attempt result{.a = l};
  const auto refused = [&result](algebra_law law, axis leaf, std::int64_t number) {
    result.law = law;
    result.leaf = leaf;
    result.first = number;
    return result;
  };
  const std::int64_t target = product(cotarget);
  if (target < 1) return refused(algebra_law::something_to_cover, {}, target);
  const layout sorted = sorted_by_stride(filter(l));
  layout found = empty_tree<layout>();
  std::int64_t covered = 1;
  for (int k = 0; k < sorted.form.leaves; ++k) {
    const auto [extent, step] = sorted.leaf[k];
    if (extent == 1) continue;
    if (step < 0) return refused(algebra_law::strides_go_up, sorted.leaf[k], 0);
    if (step < covered) return refused(algebra_law::modes_lie_apart, sorted.leaf[k], covered);
    push_axis(found, {step / covered, covered});
    covered = checked_multiply(extent, step);
  }
  push_axis(found, {ceil_div(target, covered), covered});
  result.value = coalesce(checked_layout(wrap(found)));
  return result;
}

/// The layout C that repeats L without overlap until the offsets [0, cotarget) are covered as far as L's strides
/// allow: L(i) + C(j) are all different (i over filter(L)), C increases, C(0) == 0, and C has the fewest modes.
/// cotarget counts offsets; a shape means its size. If each stride of L, smallest first, is a multiple of the
/// extent times the stride before it, L(i) + C(j) covers [0, cotarget) completely; otherwise gaps remain.
/// Refuses negative strides, and modes of L that overlap or interleave.
constexpr layout complement(const layout& l, const int_tuple& cotarget) {
  return value_of([&] { return try_complement(l, cotarget); },
                  operation{"complement of", l, " within ", cotarget, true});
}

/// The complement within L's own offsets: complement(L, cosize(filter(L))).
constexpr layout complement(const layout& l) { return complement(l, cosize(filter(l))); }

}  // namespace sectile
