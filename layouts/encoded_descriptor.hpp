#pragma once
// A matrix descriptor that somebody else has encoded, and one whose pattern begins anywhere.
//
// Source: PTX ISA, "Matrix Descriptor Format".

#include <sectile/layouts/descriptor.hpp>

namespace sectile {

/// The bits that must be zero: 14..15, 30..31, 46..48 and 52..61.
constexpr std::uint64_t descriptor_reserved_bits = 0x3FF1'C000'C000'C000u;

/// The first rule that an encoded descriptor breaks.
constexpr descriptor_violation check(std::uint64_t bits) {
  if ((bits & descriptor_reserved_bits) != 0) {
    return {descriptor_rule::reserved_bits, bits & descriptor_reserved_bits, 0};
  }
  return check(decode(bits));
}

/// The base offset of an operand whose swizzle pattern begins at this address: 0 where that is a multiple of the
/// pattern, and always 0 for what TMA writes, because TMA takes the phase of its pattern from the address.
constexpr int base_offset_of(unsigned pattern_start_bytes, swizzle_mode mode) {
  return mode == swizzle_mode::none ? 0 : static_cast<int>(pattern_start_bytes >> 7 & 7);
}

}  // namespace sectile
