#pragma once
// The bits of a matrix descriptor that belong to no field.

#include <cstdint>
#include <string>
#include <vector>

#include <sectile/layouts/descriptor.hpp>

namespace sectile {

/// Bits first_bit .. last_bit of the 64.
struct bit_range {
  int first_bit = 0;
  int last_bit = 0;

  friend constexpr bool operator==(const bit_range&, const bit_range&) = default;
};

/// The ranges of bits that must be 0, from bit 0 up.
inline std::vector<bit_range> descriptor_gaps() {
  std::vector<bit_range> gaps;
  for (int bit = 0; bit < 64; ++bit) {
    if ((descriptor_reserved_bits >> bit & 1) == 0) continue;
    if (gaps.empty() || gaps.back().last_bit + 1 != bit) gaps.push_back({bit, bit});
    gaps.back().last_bit = bit;
  }
  return gaps;
}

/// "bits 14 to 15 must be 0"
inline std::string gap_text(const bit_range& gap) {
  return "bits " + std::to_string(gap.first_bit) + " to " + std::to_string(gap.last_bit) + " must be 0";
}

}  // namespace sectile
