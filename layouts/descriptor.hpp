#pragma once
// The 64-bit matrix descriptor by which wgmma finds an operand in shared memory: its fields, its encoding, and the byte
// that wgmma reads for every element. This is one of two independent models of a tile (the other is what TMA writes,
// tma_box.hpp), so nothing here knows of boxes or tiles: addresses follow from the fields alone.
//
// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout" (canonical layouts, strides) and "Matrix
// Descriptor Format".

#include <cstdint>
#include <sectile/layouts/major.hpp>
#include <sectile/layouts/swizzle.hpp>

namespace sectile {

/// The fields in plain units. Field widths: the three byte fields are multiples of 16 below 2^18.
struct matrix_descriptor {
  unsigned start_bytes = 0;    ///< shared-memory address of the first element
  unsigned leading_bytes = 0;  ///< leading-dimension byte offset, LBO
  unsigned stride_bytes = 0;   ///< stride-dimension byte offset, SBO
  int base_offset = 0;         ///< 128-byte rows between the pattern's start and the alignment it needs, 0..7; mostly 0
  swizzle_mode swizzle = swizzle_mode::none;

  friend constexpr bool operator==(const matrix_descriptor&, const matrix_descriptor&) = default;
};

constexpr unsigned descriptor_field_end = 1u << 18;

/// The rules of a descriptor's fields. What `value` and `limit` of a violation mean stands beside each.
enum class descriptor_rule : std::uint8_t {
  holds,
  start_granule,  ///< value = start address in bytes; a multiple of limit
  start_size,     ///< value = start address in bytes; below limit
  leading_granule,
  leading_size,
  stride_granule,
  stride_size,
  base_offset,    ///< value = base offset; at most limit = 7, and 0 without a swizzle
  reserved_bits,  ///< value = reserved bits that are set; none may be
};

/// The rule that a descriptor breaks, and the numbers that clash.
struct descriptor_violation {
  descriptor_rule rule = descriptor_rule::holds;
  std::uint64_t value = 0;
  std::uint64_t limit = 0;

  constexpr bool ok() const { return rule == descriptor_rule::holds; }
  friend constexpr bool operator==(const descriptor_violation&, const descriptor_violation&) = default;
};

/// The first rule that the fields break.
constexpr descriptor_violation check(const matrix_descriptor& d) {
  constexpr unsigned end = descriptor_field_end;
  if (d.start_bytes % 16 != 0) return {descriptor_rule::start_granule, d.start_bytes, 16};
  if (d.start_bytes >= end) return {descriptor_rule::start_size, d.start_bytes, end};
  if (d.leading_bytes % 16 != 0) return {descriptor_rule::leading_granule, d.leading_bytes, 16};
  if (d.leading_bytes >= end) return {descriptor_rule::leading_size, d.leading_bytes, end};
  if (d.stride_bytes % 16 != 0) return {descriptor_rule::stride_granule, d.stride_bytes, 16};
  if (d.stride_bytes >= end) return {descriptor_rule::stride_size, d.stride_bytes, end};
  const int most = d.swizzle == swizzle_mode::none ? 0 : 7;
  if (d.base_offset < 0 || d.base_offset > most)
    return {descriptor_rule::base_offset, static_cast<std::uint64_t>(d.base_offset), static_cast<std::uint64_t>(most)};
  return {};
}

/// The mode as the descriptor spells it; the tensor map counts the other way round.
constexpr unsigned descriptor_code(swizzle_mode mode) {
  return (4 - static_cast<unsigned>(mode)) % 4;  // none 0, b128 1, b64 2, b32 3
}

/// The inverse of descriptor_code. 0 <= code <= 3.
constexpr swizzle_mode swizzle_of_descriptor_code(unsigned code) {
  return static_cast<swizzle_mode>((4 - code) % 4);
}

/// The 64 bits. Precondition: check(d).ok(). Bits of an address above the 18th
/// are dropped, as the hardware's own packing does.
constexpr std::uint64_t encode(const matrix_descriptor& d) {
  const auto field = [](unsigned bytes) {
    return static_cast<std::uint64_t>((bytes & (descriptor_field_end - 1)) >> 4);
  };
  return field(d.start_bytes) | field(d.leading_bytes) << 16 | field(d.stride_bytes) << 32 |
         static_cast<std::uint64_t>(d.base_offset & 7) << 49 |
         static_cast<std::uint64_t>(descriptor_code(d.swizzle)) << 62;
}

/// The start address of an encoded descriptor, bytes.
constexpr unsigned start_bytes_of(std::uint64_t bits) { return static_cast<unsigned>(bits & 0x3FFF) << 4; }

/// The fields of 64 bits. Reserved bits are ignored here; check(std::uint64_t) in encoded_descriptor.hpp refuses them.
constexpr matrix_descriptor decode(std::uint64_t bits) {
  const auto field = [bits](int at) { return static_cast<unsigned>((bits >> at) & 0x3FFF) << 4; };
  return {.start_bytes = field(0),
          .leading_bytes = field(16),
          .stride_bytes = field(32),
          .base_offset = static_cast<int>((bits >> 49) & 7),
          .swizzle = swizzle_of_descriptor_code(static_cast<unsigned>(bits >> 62))};
}

/// Shared-memory byte address at which wgmma reads element (mn, k) of the operand that d names, counted from the first
/// element of the instruction. Of a one-bit element: the byte that holds it.
/// The phase of the swizzle is bits 7 and up of the address less the base offset (an H100 does so in all three modes).
/// Precondition: a K-major operand with swizzle does not extend past the span along K.
constexpr unsigned read_offset(const matrix_descriptor& d, major direction, int mn, int k, int element_bits) {
  const auto row = static_cast<unsigned>(mn);
  const auto column = static_cast<unsigned>(k);
  const auto bits = static_cast<unsigned>(element_bits);
  const unsigned chunk = 128 / bits;  // elements of 16 bytes
  const unsigned lbo = d.leading_bytes;
  const unsigned sbo = d.stride_bytes;

  if (d.swizzle == swizzle_mode::none) {
    // Core matrices of 8 x 16 contiguous bytes; note that LBO and SBO walk other directions in the two majors.
    if (direction == major::k) {
      return d.start_bytes + row / 8 * sbo + column / chunk * lbo + row % 8 * 16 + column % chunk * bits / 8;
    }
    return d.start_bytes + row / chunk * sbo + column / 8 * lbo + column % 8 * 16 + row % chunk * bits / 8;
  }

  const unsigned phases = d.swizzle == swizzle_mode::b32 ? 1 : d.swizzle == swizzle_mode::b64 ? 3 : 7;
  const unsigned span = 16 * (phases + 1);
  unsigned address = d.start_bytes;
  if (direction == major::k) {
    address += row / 8 * sbo + row % 8 * span + column * bits / 8;
  } else {
    const unsigned across = span * 8 / bits;  // elements of one span
    address += row / across * lbo + column / 8 * sbo + column % 8 * span + row % across * bits / 8;
  }
  const unsigned phase = (address >> 7) - static_cast<unsigned>(d.base_offset);
  return address ^ ((phase & phases) << 4);
}

}  // namespace sectile
