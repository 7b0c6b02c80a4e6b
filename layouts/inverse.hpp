#pragma once
// Inverses of a layout as a function from indices to offsets, and what two layouts have in common.

#include <utility>

#include <sectile/layouts/complement.hpp>
#include <sectile/layouts/composition.hpp>

namespace sectile {

/// Leaf k of a flat layout, with the distance in indices between neighbours along it.
struct indexed_axis {
  axis of;
  std::int64_t index_stride = 1;
};

/// The leaves of coalesce(L), smallest stride first, each with its index stride.
struct indexed_axes {
  int count = 0;
  indexed_axis at[max_leaves];

  constexpr explicit indexed_axes(const layout& l) {
    const layout flat = coalesce(l);
    std::int64_t index_stride = 1;
    for (int k = 0; k < flat.form.leaves; ++k) {
      at[count++] = {flat.leaf[k], index_stride};
      index_stride *= flat.leaf[k].shape;
      for (int j = count - 1; j > 0 && at[j - 1].of.stride > at[j].of.stride; --j) std::swap(at[j - 1], at[j]);
    }
  }
};

/// R with L(R(i)) == i for 0 <= i < size(R): the indices whose offsets are 0, 1, 2, ... Never refuses; where no mode of
/// L has stride 1, R is 1:0. R is made of whole modes, and the longest there is where L is injective and no stride is
/// negative.
constexpr layout right_inverse(const layout& l) {
  const indexed_axes axes(l);
  layout result = empty_tree<layout>();
  std::int64_t reached = 1;
  for (int k = 0; k < axes.count; ++k) {
    if (axes.at[k].of.stride != reached || axes.at[k].of.shape == 1) continue;
    push_axis(result, {axes.at[k].of.shape, axes.at[k].index_stride});
    reached = axes.at[k].of.shape * axes.at[k].of.stride;
  }
  return result.form.leaves == 0 ? layout{} : coalesce(wrap(result));
}

/// Negates every stride.
constexpr layout mirrored(layout l) {
  for (int k = 0; k < l.form.leaves; ++k) l.leaf[k].stride = -l.leaf[k].stride;
  return l;
}

/// R with R(L(i)) == i for 0 <= i < size(L); modes of stride 0 are passed over, so that in general
/// L(R(L(i))) == L(i). If every stride is <= 0 the offsets are negative and so are the strides of R.
/// Refuses strides of both signs, overlapping modes, and a stride that is not a multiple of the next smaller one.
constexpr layout left_inverse(const layout& l) {
  if (has_mixed_signs(l)) throw layout_error("left_inverse of ", l, ": strides of both signs");
  bool down = false;
  for (int k = 0; k < l.form.leaves; ++k) down = down || (l.leaf[k].shape > 1 && l.leaf[k].stride < 0);
  const indexed_axes axes(down ? mirrored(l) : l);
  layout result = empty_tree<layout>();
  axis before{1, 1};
  std::int64_t index_stride = 0;
  bool first = true;
  for (int k = 0; k < axes.count; ++k) {
    const auto [extent, step] = axes.at[k].of;
    if (step == 0) continue;
    const std::int64_t span = first ? 1 : checked_multiply(before.shape, before.stride);
    if (step % before.stride != 0 || step < span) {
      throw layout_error("left_inverse of ", l, " is refused: stride ", step,
                         " must be a multiple of the next smaller ", "stride ", before.stride, " and at least ", span,
                         ", the offsets spanned so far", down ? " (of the mirrored layout)" : "");
    }
    push_axis(result, {step / before.stride, index_stride});
    before = {extent, step};
    index_stride = axes.at[k].index_stride;
    first = false;
  }
  if (first) return coalesce(l);
  push_axis(result, {before.shape, index_stride});
  result = checked_layout(wrap(result));
  return coalesce(down ? mirrored(result) : result);
}

/// R with a(R(i)) == i and b(R(i)) == i: the elements that lie contiguously, in the same order, in both. The longest
/// there is where both are injective and no stride is negative. Never refuses.
constexpr layout max_common_layout(const layout& a, const layout& b) {
  const layout in_a = right_inverse(a);
  const layout in_b = right_inverse(b);
  layout common = empty_tree<layout>();
  for (int k = 0; k < in_a.form.leaves && k < in_b.form.leaves; ++k) {
    const axis of_a = in_a.leaf[k];
    const axis of_b = in_b.leaf[k];
    if (of_a.stride != of_b.stride) break;
    push_axis(common, {of_a.shape < of_b.shape ? of_a.shape : of_b.shape, of_a.stride});
    if (of_a.shape != of_b.shape) break;
  }
  return coalesce(common);
}

/// How many elements that is.
constexpr std::int64_t max_common_vector(const layout& a, const layout& b) { return size(max_common_layout(a, b)); }

/// The indices that L maps to offset 0, as a layout: its modes of stride 0. Post: L(R(i)) == 0, and
/// size(R) == size(L) / size(filter_zeros(L)).
constexpr layout nullspace(const layout& l) {
  layout result = empty_tree<layout>();
  std::int64_t index_stride = 1;
  for (int k = 0; k < l.form.leaves; ++k) {
    if (l.leaf[k].stride == 0) {
      push_axis(result, {l.leaf[k].shape, l.leaf[k].shape == 1 ? 0 : index_stride});
    }
    index_stride *= l.leaf[k].shape;
  }
  if (result.form.leaves == 0) return {};
  return result.form.leaves == 1 ? result : wrap(result);
}

}  // namespace sectile
