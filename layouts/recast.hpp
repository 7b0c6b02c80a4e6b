#pragma once
// Recasting: the same memory with wider or narrower elements.

#include <sectile/layouts/coalesce.hpp>

namespace sectile {

/// Checks that merging n offsets into one makes no leaf carry into another: see upcast().
constexpr void require_upcast(const layout& l, std::int64_t n) {
  if (n < 1) throw layout_error("upcast of ", l, ": the number of elements to merge is ", n, ", not at least 1");
  std::int64_t inside = 0;
  bool up = false;
  bool down = false;
  for (int k = 0; k < l.form.leaves; ++k) {
    const auto [extent, step] = l.leaf[k];
    if (step == 0 || extent == 1) continue;
    (step < 0 ? down : up) = true;
    const std::int64_t distance = step < 0 ? -step : step;
    if (distance % n == 0) continue;
    if (n % distance != 0) {
      throw layout_error("upcast of ", l, " by ", n, " is refused: stride ", step,
                         " is neither a multiple nor a divisor of ", n);
    }
    inside += ((extent < n / distance ? extent : n / distance) - 1) * distance;
  }
  if (inside >= n) {
    throw layout_error("upcast of ", l, " by ", n,
                       " is refused: modes that lie inside one wide element add up to offset ", inside, ", beyond its ",
                       n, " elements");
  }
  if (inside > 0 && up && down) {
    throw layout_error("upcast of ", l, " by ", n, " is refused: strides of both signs meet inside a wide element");
  }
}

/// The layout of wide elements that each hold n consecutive old ones.
/// Post: the offsets of R are exactly L(c) / n, rounded towards 0, over all coordinates c of L; the rank stays.
/// Refuses strides that are neither multiples nor divisors of n, modes that overlap inside a wide element, and strides
/// of both signs if any mode lies inside one.
constexpr layout upcast(const layout& l, std::int64_t n) {
  require_upcast(l, n);
  layout result = l;
  for (int k = 0; k < l.form.leaves; ++k) {
    const auto [extent, step] = l.leaf[k];
    if (step == 0) continue;
    const std::int64_t distance = step < 0 ? -step : step;
    result.leaf[k].shape = ceil_div(extent, ceil_div(n, distance));
    result.leaf[k].stride = (step < 0 ? -1 : 1) * ceil_div(distance, n);
  }
  return result;
}

/// The layout of narrow elements of which n make one old one: the contiguous mode grows by n.
/// Post: the offsets of R are exactly n * L(c) + j over all c and 0 <= j < n (from n * L(c) - j for stride -1).
/// Refuses an L without exactly one mode of stride 1 or -1.
constexpr layout downcast(const layout& l, std::int64_t n) {
  if (n < 1) throw layout_error("downcast of ", l, ": the number of elements to split into is ", n, ", not at least 1");
  if (n == 1) return l;
  int contiguous = -1;
  for (int pass = 0; pass < 2 && contiguous < 0; ++pass) {
    for (int k = 0; k < l.form.leaves; ++k) {
      const auto [extent, step] = l.leaf[k];
      if ((step != 1 && step != -1) || (extent == 1 && pass == 0)) continue;
      if (contiguous >= 0 && pass == 0) {
        throw layout_error("downcast of ", l, " by ", n,
                           " is refused: two modes have stride 1, so the narrow elements overlap");
      }
      contiguous = k;
    }
  }
  if (contiguous < 0)
    throw layout_error("downcast of ", l, " by ", n, " is refused: no mode has stride 1 to hold the ", n, " parts");
  layout result = l;
  for (int k = 0; k < l.form.leaves; ++k) {
    std::int64_t& grows = k == contiguous ? result.leaf[k].shape : result.leaf[k].stride;
    grows = checked_multiply(grows, n);
  }
  return checked_layout(result);
}

/// The layout in elements of `to_bits` bits of what L says in elements of `from_bits` bits. Refuses what upcast and
/// downcast refuse.
constexpr layout recast(const layout& l, std::int64_t from_bits, std::int64_t to_bits) {
  if (from_bits < 1 || to_bits < 1) throw layout_error("recast of ", l, " from ", from_bits, " to ", to_bits, " bits");
  std::int64_t common = from_bits;
  for (std::int64_t rest = to_bits; rest != 0;) {
    const std::int64_t next = common % rest;
    common = rest;
    rest = next;
  }
  return downcast(upcast(l, to_bits / common), from_bits / common);
}

}  // namespace sectile
