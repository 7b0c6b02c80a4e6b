#pragma once
// A swizzle behind a swizzle, and a swizzled layout behind a swizzled layout, where the result is one swizzle again.

#include <sectile/layouts/swizzled_algebra.hpp>

namespace sectile {

namespace detail {

/// The swizzle that moves the bits `read` down by `shift` (up, if it is negative); nothing if they are no field.
constexpr bool field_of(std::int64_t read, int shift, swizzle& to) {
  if (read == 0) {
    to = {0, 4, shift == 0 ? 3 : shift};
    return true;
  }
  const std::int64_t lowest = read & -read;
  int bits = 0;
  while ((read / lowest >> bits) != 0) ++bits;
  if (read / lowest != (std::int64_t{1} << bits) - 1) return false;
  const int from = exact_log2(lowest);
  to = {bits, shift > 0 ? from - shift : from, shift};
  return is_valid(to);
}

}  // namespace detail

/// a o b: b first. Post: R(x) == a(b(x)) for every x >= 0. Refuses two that are no swizzle together: of different
/// distances, one that reads what the other changes, and fields whose difference has a gap.
constexpr swizzle composition(swizzle a, swizzle b) {
  make_swizzle(a.bits, a.base, a.shift);
  make_swizzle(b.bits, b.base, b.shift);
  if (a.bits == 0) return b;
  if (b.bits == 0) return a;
  swizzle result;
  // Where one reads a bit that the other changes, that bit and the one which is moved there are in the difference, and no
  // field reaches from one to the other: it has as many bits as lie between the two at most.
  if (a.shift != b.shift || !detail::field_of(a.source_mask() ^ b.source_mask(), a.shift, result))
    throw layout_error("composition ", a, " o ", b, " is refused: one after the other they are no swizzle");
  return result;
}

/// A o B of swizzled layouts. Post: R(i) == A(B(i)) for 0 <= i < size(B).
/// Refuses what composition of A's layout with B refuses, two swizzles that are not one together, and an offset of A's
/// that the inner swizzle cannot pass: it must be a multiple of that one's period.
constexpr swizzled_layout composition(const swizzled_layout& a, const swizzled_layout& b) {
  const swizzled_layout behind = composition(a.inner, b);
  if (behind.pattern.bits == 0) return with_swizzle(behind.inner, a.pattern, checked_add(a.offset, behind.offset));
  if (a.offset % behind.pattern.period() != 0) {
    throw layout_error("composition (", a, ") o (", b, ") is refused: the offset ", a.offset,
                       " would have to pass the swizzle ", behind.pattern, ", which repeats after ",
                       behind.pattern.period());
  }
  return with_swizzle(behind.inner, composition(a.pattern, behind.pattern), checked_add(a.offset, behind.offset));
}

}  // namespace sectile
