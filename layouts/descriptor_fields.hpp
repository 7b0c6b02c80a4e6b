#pragma once
// The fields of a matrix descriptor for those who read it: which bits, what stands there, and what it means for a tile.
//
// Source: PTX ISA, "Matrix Descriptor Format" and "Strides".

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/encoded_descriptor.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile {

/// Bits first_bit .. last_bit of the 64. bytes: what the value stands for, -1 where it is not a length.
struct descriptor_field {
  std::string name;
  int first_bit = 0, last_bit = 0;
  std::uint64_t value = 0;
  int bytes = -1;
  std::string meaning;
};

/// The five fields of an encoded descriptor, from bit 0 up. Where they are is asked of encode().
inline std::vector<descriptor_field> descriptor_fields(std::uint64_t bits) {
  const matrix_descriptor d = decode(bits);
  constexpr unsigned all = descriptor_field_end - 16;
  const auto field = [bits](const char* name, std::uint64_t mask, int bytes, const std::string& meaning) {
    const int first = std::countr_zero(mask);
    return descriptor_field{name, first, 63 - std::countl_zero(mask), (bits & mask) >> first, bytes, meaning};
  };
  const auto length = [](unsigned bytes) { return static_cast<int>(bytes); };
  const std::string pattern =
      d.swizzle == swizzle_mode::none ? "no swizzle" : std::to_string(span_bytes(d.swizzle)) + "-byte swizzle";
  return {field("start address", encode({.start_bytes = all}), length(d.start_bytes), "the first element"),
          field("LBO", encode({.leading_bytes = all}), length(d.leading_bytes), "leading dimension byte offset"),
          field("SBO", encode({.stride_bytes = all}), length(d.stride_bytes), "stride dimension byte offset"),
          field("base offset", encode({.base_offset = 7}), -1,
                d.base_offset == 0 ? "the pattern begins where it is aligned to"
                                   : "rows of 128 bytes from there to the pattern's start"),
          field("swizzle", encode({.swizzle = swizzle_mode::b32}), -1, pattern)};
}

/// Whether LBO counts in tiles of this kind.
constexpr bool leading_counts(major direction, swizzle_mode mode) {
  return direction == major::mn || mode == swizzle_mode::none;
}

/// From one core matrix to another: so many further along K, or along M or N.
struct descriptor_step {
  bool along_k = false;
  int core_matrices = 1;
};

/// Where LBO leads from a core matrix. Precondition: leading_counts(direction, mode).
constexpr descriptor_step leading_step(major direction, swizzle_mode mode) {
  if (direction == major::k || mode == swizzle_mode::none) return {true, 1};
  return {false, span_bytes(mode) / core_matrix_row_bytes};
}

/// Where SBO leads from a core matrix.
constexpr descriptor_step stride_step(major direction, swizzle_mode mode) {
  return {direction == major::mn && mode != swizzle_mode::none, 1};
}

/// What LBO and SBO lead to in words, as in "from 8 rows to the next".
inline std::string leading_text(major direction, swizzle_mode mode) {
  if (!leading_counts(direction, mode)) return "not used by this layout";
  if (direction == major::mn && mode == swizzle_mode::none) return "from 8 of K to the next";
  return "from " + std::to_string(span_bytes(mode)) + " bytes along " + (direction == major::k ? "K" : "M or N") +
         " to the next";
}
inline std::string stride_text(major direction, swizzle_mode mode) {
  if (direction == major::k) return "from 8 rows to the next";
  if (mode != swizzle_mode::none) return "from 8 of K to the next";
  return "from " + std::to_string(span_bytes(mode)) + " bytes along M or N to the next";
}

/// The same with what the two offsets mean for this tile.
inline std::vector<descriptor_field> descriptor_fields(std::uint64_t bits, const operand_tile& t) {
  std::vector<descriptor_field> fields = descriptor_fields(bits);
  fields[0].meaning = "from the start of shared memory";
  fields[1].meaning = leading_text(t.major, t.swizzle);
  fields[2].meaning = stride_text(t.major, t.swizzle);
  return fields;
}

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
