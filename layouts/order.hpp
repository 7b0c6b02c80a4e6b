#pragma once
// Compact layouts whose modes run in an order that something else has: a list of numbers, or another layout's strides.

#include <sectile/layouts/inverse.hpp>
#include <sectile/layouts/product.hpp>

namespace sectile {

/// The strides of make_ordered_layout(shape, order). Refuses an order that is not weakly congruent with the shape.
constexpr int_tuple compact_order(const int_tuple& shape, const int_tuple& order) {
  return stride(make_ordered_layout(shape, order));
}

/// The compact layout with L's shape whose leaves run in the order of L's strides, smallest first (of backward strides
/// the distance counts; of equal ones the left leaf comes first). Strides of 0 stay 0: (2,3,4):(9,0,1) becomes
/// (2,3,4):(4,0,1).
constexpr layout make_layout_like(const layout& l) {
  layout result = l;
  bool placed[max_leaves] = {};
  std::int64_t step = 1;
  for (int n = 0; n < l.form.leaves; ++n) {
    int next = -1;
    std::int64_t nearest = 0;
    for (int k = 0; k < l.form.leaves; ++k) {
      const std::int64_t distance = l.leaf[k].stride < 0 ? -l.leaf[k].stride : l.leaf[k].stride;
      if (placed[k] || (next >= 0 && distance >= nearest)) continue;
      next = k;
      nearest = distance;
    }
    placed[next] = true;
    axis& leaf = result.leaf[next];
    if (nearest == 0) continue;
    leaf.stride = leaf.shape == 1 ? 0 : step;
    step = checked_multiply(step, leaf.shape);
  }
  return result;
}

/// The largest n for which the memory of L is made of whole units of n elements that begin at multiples of n, so that
/// upcast(L, n) says where they lie: how wide a copy may be, if the base is aligned as well. 1 if nothing is
/// contiguous.
constexpr std::int64_t max_alignment(const layout& l) {
  const indexed_axes axes(l);
  std::int64_t reached = 1;
  std::int64_t common = 0;  // of the strides that do not continue the contiguous run
  const auto greatest_common = [](std::int64_t a, std::int64_t b) {
    for (a = a < 0 ? -a : a, b = b < 0 ? -b : b; b != 0;) {
      const std::int64_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  };
  for (int k = 0; k < axes.count; ++k) {
    const auto [extent, step] = axes.at[k].of;
    if (extent > 1 && step == reached) {
      reached *= extent;
    } else if (extent > 1) {
      common = greatest_common(common, step);
    }
  }
  return greatest_common(reached, common);
}

}  // namespace sectile
