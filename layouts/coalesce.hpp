#pragma once
// The shortest layout for the same function, and the layout without the modes that do not move.

#include <sectile/layouts/modes.hpp>

namespace sectile {

/// Whether `next` goes on where the mode before it ends, so that the two are one mode.
constexpr bool continues(axis before, axis next) {
  return product_fits(before.shape, before.stride) && before.shape * before.stride == next.stride &&
         product_fits(before.shape, next.shape);
}

/// The flat layout with the fewest modes that is the same function of the index. 1:0 if nothing is left.
/// Post: size(R) == size(L), depth(R) <= 1, R(i) == L(i) for 0 <= i < size(L).
constexpr layout coalesce(const layout& l) {
  layout result = empty_tree<layout>();
  for (int k = 0; k < l.form.leaves; ++k) {
    if (l.leaf[k].shape == 1) continue;
    axis* back = result.form.leaves > 0 ? &result.leaf[result.form.leaves - 1] : nullptr;
    if (back != nullptr && continues(*back, l.leaf[k])) {
      back->shape *= l.leaf[k].shape;
    } else {
      push_axis(result, l.leaf[k]);
    }
  }
  if (result.form.leaves == 0) return {};
  return result.form.leaves == 1 ? result : wrap(result);
}

/// Like coalesce, and the same function of every index i >= 0 too, on the understanding that the last mode is not
/// bounded. A last mode of extent 1 is kept, with extent 2, because it says how the layout goes on.
constexpr layout coalesce_unbounded(layout l) {
  if (l.form.leaves == 0) return {};
  axis& last = l.leaf[l.form.leaves - 1];
  if (last.shape == 1) last.shape = 2;
  return coalesce(l);
}

/// L with every extent of a stride-0 leaf set to 1.
constexpr layout filter_zeros(layout l) {
  for (int k = 0; k < l.form.leaves; ++k) {
    if (l.leaf[k].stride == 0) l.leaf[k].shape = 1;
  }
  return l;
}

/// L without the modes of stride 0 and extent 1, coalesced: the same set of offsets from fewer coordinates.
constexpr layout filter(const layout& l) { return coalesce(filter_zeros(l)); }

/// Applies `change` to the part of L at each leaf of the profile; modes that the profile lacks stay as they are.
/// Refuses a profile with more modes than L.
template <class Change>
constexpr layout change_by_profile(const layout& l, const int_tuple& profile, Change change) {
  if (!is_tuple(profile.form)) return change(l);
  if (rank(profile) > rank(l)) throw layout_error("the profile ", profile.form, " has more modes than the layout ", l);
  layout result = empty_tree<layout>();
  for (int i = 0; i < rank(l); ++i) {
    push_mode(result, i < rank(profile) ? change_by_profile(mode(l, i), mode(profile, i), change) : mode(l, i));
  }
  return wrap(result);
}

/// Coalesces each mode for itself: at the leaves of the profile, whose values do not matter. coalesce(L, (1,1))
/// keeps L of rank 2. Refuses a profile with more modes than L.
constexpr layout coalesce(const layout& l, const int_tuple& profile) {
  return change_by_profile(l, profile, [](const layout& part) { return coalesce(part); });
}

/// filter() at the leaves of the profile.
constexpr layout filter(const layout& l, const int_tuple& profile) {
  return change_by_profile(l, profile, [](const layout& part) { return filter(part); });
}

}  // namespace sectile
