#pragma once
// Swizzles of any three numbers: which there are, how one is written, and the same with offsets in other units. Those
// of the hardware are in swizzle.hpp.

#include <sectile/layouts/error.hpp>
#include <sectile/layouts/swizzle.hpp>

namespace sectile {

/// Whether the three numbers name a swizzle: no negative bits or base, fields that do not overlap, all below bit 63.
constexpr bool is_valid(swizzle s) {
  const int distance = s.shift < 0 ? -s.shift : s.shift;
  return s.bits >= 0 && s.base >= 0 && s.bits < 63 && s.base < 63 && distance < 63 && distance >= s.bits &&
         s.bits + s.base + distance < 63;
}

/// Prints as CuTe does: Sw<3,4,3>.
constexpr void print(message& to, const swizzle& s) {
  to.add("Sw<").add(s.bits).add(',').add(s.base).add(',').add(s.shift).add('>');
}

/// The checked way to make a swizzle. Refuses what is_valid() refuses.
constexpr swizzle make_swizzle(int bits, int base, int shift) {
  const swizzle made{bits, base, shift};
  if (!is_valid(made)) {
    throw layout_error(
        made, " is not a swizzle: it needs bits >= 0, base >= 0, |shift| >= bits (so that the field read and the ",
        "field changed do not overlap) and bits + base + |shift| < 63");
  }
  return made;
}

/// Number of the only bit of x. Refuses x that is not a power of two.
constexpr int exact_log2(std::int64_t x) {
  if (x <= 0 || (x & (x - 1)) != 0) throw layout_error(x, " is not a power of two, which a swizzle needs");
  int n = 0;
  while (x >> n > 1) ++n;
  return n;
}

/// The same permutation of memory with offsets counted in units of `to_bits` bits instead of `from_bits` bits:
/// recast(<3,4,3>, 8, 16) is <3,3,3>. Both must be powers of two. Refuses a unit that the swizzle would tear apart.
constexpr swizzle recast(swizzle s, int from_bits, int to_bits) {
  const int base = s.base + exact_log2(from_bits) - exact_log2(to_bits);
  if (s.bits == 0) return make_swizzle(0, base < 0 ? 0 : base, s.shift);
  if (base < 0) {
    throw layout_error("recast of ", s, " from ", from_bits, " to ", to_bits,
                       " bits is refused: it exchanges pieces of ", std::int64_t{from_bits} << s.base,
                       " bits, and a new unit would be torn apart");
  }
  return make_swizzle(s.bits, base, s.shift);
}

}  // namespace sectile
