#pragma once
// Yes or no: does a layout map different coordinates to different offsets, does it reach every offset?

#include <sectile/layouts/complement.hpp>

namespace sectile {

/// Whether some difference of coordinates, not zero in all leaves [0, k], has offset `sum` in those leaves.
/// `axes` are flat, with strides > 0, smallest first; `moved` says that a later leaf is not zero already.
constexpr bool offset_is_a_difference(const layout& axes, int k, std::int64_t sum, bool moved) {
  if (k < 0) return sum == 0 && moved;
  std::int64_t reach = 0;
  for (int j = 0; j < k; ++j) reach += (axes.leaf[j].shape - 1) * axes.leaf[j].stride;
  const auto [extent, step] = axes.leaf[k];
  // Only steps x with |sum + x * step| <= reach can be made up for by the smaller leaves.
  const std::int64_t nearest = -sum / step;
  const std::int64_t slack = reach / step + 1;
  for (std::int64_t x = nearest - slack; x <= nearest + slack; ++x) {
    if (x <= -extent || x >= extent) continue;
    const std::int64_t left = sum + x * step;
    if (left < -reach || left > reach) continue;
    if (offset_is_a_difference(axes, k - 1, left, moved || x != 0)) return true;
  }
  return false;
}

/// Whether different indices have different offsets. Exact for every layout.
constexpr bool is_injective(const layout& l) {
  layout axes = empty_tree<layout>();
  for (int k = 0; k < l.form.leaves; ++k) {
    const auto [extent, step] = l.leaf[k];
    if (extent == 1) continue;
    if (step == 0) return false;
    push_axis(axes, {extent, step < 0 ? -step : step});
  }
  axes = sorted_by_stride(axes);
  return !offset_is_a_difference(axes, axes.form.leaves - 1, 0, false);
}

/// Whether every offset in [0, cosize(L)) is reached and no other one: no gap, nothing below 0.
constexpr bool is_surjective(const layout& l) {
  const layout moving = filter(l);
  for (int k = 0; k < moving.form.leaves; ++k) {
    if (moving.leaf[k].stride < 0) return false;
  }
  return contiguous_reach(moving) == cosize(moving);
}

/// Whether L maps its size() coordinates one to one onto [0, size(L)).
constexpr bool is_bijective(const layout& l) { return is_surjective(l) && cosize(l) == size(l); }

/// The same under the name that fits memory: no gap and no overlap.
constexpr bool is_compact(const layout& l) { return is_bijective(l); }

}  // namespace sectile
