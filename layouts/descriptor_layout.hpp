#pragma once
// What a matrix descriptor says as a layout value: the canonical layout with its LBO and SBO, behind its swizzle.

#include <sectile/layouts/canonical_layout.hpp>
#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>

namespace sectile {

/// The canonical layout of mn x k elements that a descriptor says, in elements and before its swizzle. Refuses what
/// canonical_layout() of direction, swizzle and extents refuses, and what check(d) refuses.
constexpr layout canonical_layout(const matrix_descriptor& d, major direction, int element_bits, int mn, int k) {
  if (const descriptor_violation broken = check(d); !broken.ok()) {
    throw layout_error("descriptor ", d, ": ", broken);
  }
  const int bits = element_bits < 1 ? 1 : element_bits;  // refused below
  const auto elements = [bits](unsigned bytes) { return std::int64_t{bytes} * 8 / bits; };
  return canonical_layout(direction, d.swizzle, element_bits, mn, k, elements(d.leading_bytes),
                          elements(d.stride_bytes));
}

/// Bytes from where the swizzle pattern last began to the start address: 0 without a swizzle, and for operands that
/// begin with a pattern. Precondition: check(d).ok().
constexpr int bytes_into_pattern(const matrix_descriptor& d) {
  if (d.swizzle == swizzle_mode::none) return 0;
  constexpr int row_of_base_offset = 128;
  const int pattern = pattern_bytes(d.swizzle);
  const int from_base =
      static_cast<int>(d.start_bytes % static_cast<unsigned>(pattern)) - d.base_offset * row_of_base_offset;
  return (from_base % pattern + pattern) % pattern;
}

/// (mn, k) -> offset in elements of what wgmma reads through a descriptor, counted from where the swizzle pattern of
/// its start address begins (without a swizzle from the start address): read_offset() as a layout. Refuses what
/// canonical_layout() refuses.
constexpr swizzled_layout descriptor_layout(const matrix_descriptor& d, major direction, int element_bits, int mn,
                                            int k) {
  const layout plain = canonical_layout(d, direction, element_bits, mn, k);
  return with_swizzle(plain, recast(byte_swizzle(d.swizzle), 8, element_bits),
                      std::int64_t{bytes_into_pattern(d)} * 8 / element_bits);
}

}  // namespace sectile
