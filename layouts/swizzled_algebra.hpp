#pragma once
// The algebra on swizzled layouts. Whatever acts on coordinates acts on the layout inside; the interesting part is a
// layout behind a swizzle, A o S, which is turned into S' o A where A moves the bits of S as whole bits.

#include <sectile/layouts/algebra.hpp>
#include <sectile/layouts/product.hpp>
#include <sectile/layouts/queries.hpp>
#include <sectile/layouts/recast.hpp>
#include <sectile/layouts/slice.hpp>
#include <sectile/layouts/swizzled.hpp>

namespace sectile {

/// s o l and s o offset o l.
constexpr swizzled_layout composition(swizzle s, const layout& l) { return with_swizzle(l, s); }
constexpr swizzled_layout composition(swizzle s, std::int64_t offset, const layout& l) {
  return with_swizzle(l, s, offset);
}

/// (S o A) o B is S o (A o B).
constexpr swizzled_layout composition(const swizzled_layout& a, const tiler& b) {
  return with_swizzle(composition(a.inner, b), a.pattern, a.offset);
}

/// The layout inside, coalesced.
constexpr swizzled_layout coalesce(const swizzled_layout& l) { return {l.pattern, l.offset, coalesce(l.inner)}; }
constexpr swizzled_layout coalesce(const swizzled_layout& l, const int_tuple& profile) {
  return {l.pattern, l.offset, coalesce(l.inner, profile)};
}

/// Division acts on the layout inside. Refusals as for layouts, and where tiles reach below offset 0.
constexpr swizzled_layout logical_divide(const swizzled_layout& a, const tiler& t) {
  return with_swizzle(logical_divide(a.inner, t), a.pattern, a.offset);
}
constexpr swizzled_layout zipped_divide(const swizzled_layout& a, const tiler& t) {
  return with_swizzle(zipped_divide(a.inner, t), a.pattern, a.offset);
}
constexpr swizzled_layout tiled_divide(const swizzled_layout& a, const tiler& t) {
  return with_swizzle(tiled_divide(a.inner, t), a.pattern, a.offset);
}
constexpr swizzled_layout flat_divide(const swizzled_layout& a, const tiler& t) {
  return with_swizzle(flat_divide(a.inner, t), a.pattern, a.offset);
}

/// Products act on the layout inside: the block is repeated under one swizzle of all memory. That repeats the
/// swizzled block itself if the repetitions lie multiples of pattern.period() apart. Refusals as for layouts, and where
/// blocks lie below offset 0.
constexpr swizzled_layout logical_product(const swizzled_layout& a, const tiler& t) {
  return with_swizzle(logical_product(a.inner, t), a.pattern, a.offset);
}
constexpr swizzled_layout blocked_product(const swizzled_layout& a, const layout& grid) {
  return with_swizzle(blocked_product(a.inner, grid), a.pattern, a.offset);
}
constexpr swizzled_layout raked_product(const swizzled_layout& a, const layout& grid) {
  return with_swizzle(raked_product(a.inner, grid), a.pattern, a.offset);
}
constexpr swizzled_layout tile_to_shape(const swizzled_layout& block, const int_tuple& target,
                                        const int_tuple& order = empty_tree<int_tuple>()) {
  return with_swizzle(tile_to_shape(block.inner, target, order), block.pattern, block.offset);
}

/// The modes under _, with what the numbers of the coordinate contribute added to the offset.
/// Post: slice(c, L)(rest) == L(c with _ replaced by rest).
constexpr swizzled_layout slice(const int_tuple& coordinate, const swizzled_layout& l) {
  return with_swizzle(slice(coordinate, l.inner), l.pattern, l.offset + crd2idx(coordinate, l.inner));
}

/// Whether a mode goes backwards by less than one of the larger elements: `recast` is L in elements of another size.
constexpr bool goes_back_inside_elements(const layout& l, const layout& recast, std::int64_t merged) {
  for (int k = 0; k < l.form.leaves; ++k) {
    const bool back_by_parts = recast.leaf[k].shape > l.leaf[k].shape && l.leaf[k].stride < 0;
    if (back_by_parts || (l.leaf[k].shape > 1 && l.leaf[k].stride < 0 && l.leaf[k].stride % merged != 0)) return true;
  }
  return false;
}

/// The same memory in elements of another size. Refuses what recast of the swizzle and of the layout refuse, an
/// offset that is not a whole number of new elements, and strides that go backwards inside an element.
constexpr swizzled_layout recast(const swizzled_layout& l, int from_bits, int to_bits) {
  const std::int64_t bits = checked_multiply(l.offset, from_bits);
  if (to_bits < 1 || bits % to_bits != 0) {
    throw layout_error("recast of ", l, " from ", from_bits, " to ", to_bits,
                       " bits: the offset is not a whole number of elements");
  }
  const layout inner = recast(l.inner, from_bits, to_bits);
  if (goes_back_inside_elements(l.inner, inner, from_bits < to_bits ? to_bits / from_bits : 1)) {
    throw layout_error(
        "recast of ", l, " from ", from_bits, " to ", to_bits,
        " bits is refused: a stride goes backwards inside an element, and no layout begins at the same place");
  }
  return with_swizzle(inner, recast(l.pattern, from_bits, to_bits), bits / to_bits);
}

/// Whether different coordinates have different offsets; whether, besides, the offsets are 0 .. size - 1.
constexpr bool is_injective(const swizzled_layout& l) { return is_injective(l.inner); }
constexpr bool is_bijective(const swizzled_layout& l) { return is_injective(l.inner) && cosize(l) == size(l); }

/// Whether A maps each bit of its index to a bit of its offset: extents and strides are powers of two (or the stride
/// is 0), and no two modes use the same bit.
constexpr bool moves_whole_bits(const layout& a) {
  std::int64_t used = 0;
  for (int k = 0; k < a.form.leaves; ++k) {
    const auto [extent, step] = a.leaf[k];
    if ((extent & (extent - 1)) != 0 || step < 0 || (step & (step - 1)) != 0) return false;
    const std::int64_t bits = (extent - 1) * step;
    if ((used & bits) != 0) return false;
    used |= bits;
  }
  return true;
}

/// A o S as S' o A. Post: R(i) == A(S(i)) for 0 <= i < size(A).
/// Refuses an A that does not move the bits of S as whole bits side by side, or that S leads out of.
constexpr swizzled_layout composition(const layout& a, swizzle s) {
  make_swizzle(s.bits, s.base, s.shift);
  std::int64_t source = s.source_mask() & -s.source_mask();
  std::int64_t target = s.target_mask() & -s.target_mask();
  int bits = s.bits;
  while (bits > 0 && source << (bits - 1) >= size(a)) --bits;  // bits that are 0 for every index of A
  if (bits == 0) return {swizzle{0, s.base, s.shift}, 0, a};
  bool whole = moves_whole_bits(a) && target << (bits - 1) < size(a);
  for (int k = 0; k < bits && whole; ++k) {
    whole = a(source << k) == a(source) << k && a(target << k) == a(target) << k && a(source) > 0 && a(target) > 0;
  }
  if (!whole) {
    throw layout_error("composition ", a, " o ", s,
                       " is refused: the layout does not keep the bits of the swizzle side by side ", "inside its ",
                       size(a), " indices, so that no swizzle of its offsets does the same");
  }
  const int from = exact_log2(a(source));
  const int to = exact_log2(a(target));
  return with_swizzle(a, make_swizzle(bits, from < to ? from : to, from - to));
}

/// A o (S o O o B). Refuses a B that leads beyond A, what composition(A, S) refuses, and an offset O whose sum with B
/// carries in a mode of A: there A(O + B(i)) is not A(O) + A(B(i)).
constexpr swizzled_layout composition(const layout& a, const swizzled_layout& b) {
  if (cosize(b) > size(a))
    throw layout_error("composition ", a, " o (", b, ") is refused: ", cosize(b), " offsets, ", size(a), " indices");
  const swizzled_layout behind = composition(a, b.pattern);
  if (b.offset == 0) return composition(behind, b.inner);
  const layout here_and_there = composition(a, make_layout(b.inner, make_layout(2, b.offset)));
  return with_swizzle(mode(here_and_there, 0), behind.pattern, here_and_there(0, 1));
}

/// R with L(R(i)) == i for 0 <= i < size(R). Refuses an offset before the swizzle, and what composition refuses.
constexpr swizzled_layout right_inverse(const swizzled_layout& l) {
  if (l.offset != 0) throw layout_error("right_inverse of ", l, " is refused: the offset before the swizzle must be 0");
  return composition(right_inverse(l.inner), l.pattern);
}

/// R with R(L(i)) == i for 0 <= i < size(L), if L is injective. Refusals as for right_inverse.
constexpr swizzled_layout left_inverse(const swizzled_layout& l) {
  if (l.offset != 0) throw layout_error("left_inverse of ", l, " is refused: the offset before the swizzle must be 0");
  return composition(left_inverse(l.inner), l.pattern);
}

}  // namespace sectile
