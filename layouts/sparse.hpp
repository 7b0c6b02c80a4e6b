#pragma once
// Structured sparsity of operand A: which elements of a row are stored, how four bits of metadata say which, and where
// the stored elements sit in the registers of a warpgroup. Where the metadata sits is in metadata.hpp.
//
// Of every four neighbours along a row two are stored, of tf32 one of every two. The four bits are two 2-bit indices
// into a group, the low one that of the first stored value; the indices must rise. A tf32 group counts as four 16-bit
// halves of which one element's two are kept.
//
// Widths (`element_bits`) are 8, 16 or 32; there is no sparse form of one-bit operands.
//
// Source: PTX ISA, "Sparse matrix storage" of wgmma.mma_async.sp.

#include <cstdint>

#include <sectile/layouts/metadata_blocks.hpp>

namespace sectile {

/// How many of a group are stored.
constexpr int sparse_kept(int element_bits) { return sparse_group(element_bits) / 2; }

/// Whether the hardware defines what `nibble` selects: the indices rise, and a tf32 element keeps both its halves.
constexpr bool is_legal_nibble(int element_bits, int nibble) {
  if (element_bits == 32) return nibble == 0x4 || nibble == 0xE;
  return nibble >= 0 && nibble < 16 && nibble % 4 < nibble / 4;
}

/// Index (0 .. group - 1) of stored value `i` of a group whose metadata is `nibble`, 0 <= i < kept.
constexpr int kept_index(int element_bits, int nibble, int i) {
  if (element_bits == 32) return nibble % 4 / 2;
  return i == 0 ? nibble % 4 : nibble / 4;
}

/// The elements that `nibble` keeps, element i at bit i.
constexpr unsigned kept_mask(int element_bits, int nibble) {
  unsigned mask = 0;
  for (int i = 0; i < sparse_kept(element_bits); ++i) mask |= 1u << kept_index(element_bits, nibble, i);
  return mask;
}

/// Bits set in the lowest four of `mask`.
constexpr int count_of_mask(unsigned mask) {
  return static_cast<int>((mask & 1u) + (mask >> 1 & 1u) + (mask >> 2 & 1u) + (mask >> 3 & 1u));
}

/// Whether a group in which the elements of `mask` must be kept can be stored.
constexpr bool fits_group(int element_bits, unsigned mask) { return count_of_mask(mask) <= sparse_kept(element_bits); }

/// The legal nibble that keeps the elements of `mask`, and the first others if those are fewer than a group stores.
/// Precondition: fits_group(element_bits, mask).
constexpr int nibble_of_mask(int element_bits, unsigned mask) {
  while (count_of_mask(mask) < sparse_kept(element_bits)) mask |= mask + 1;  // sets the lowest bit that is not set
  if (element_bits == 32) return mask == 1u ? 0x4 : 0xE;
  int first = 0;
  int second = 3;
  while ((mask >> first & 1u) == 0) ++first;
  while ((mask >> second & 1u) == 0) --second;
  return first + 4 * second;
}

/// Metadata of a group that is all zero, and eight of them: what lies beyond the edges of a matrix.
constexpr int empty_nibble = 0x4;
constexpr std::uint32_t empty_metadata = 0x4444'4444;

/// The four bits of `word` from `bit` up.
constexpr int nibble_at(std::uint32_t word, int bit) { return static_cast<int>(word >> bit & 0xFu); }

/// `word` with the four bits from `bit` up replaced.
constexpr std::uint32_t with_nibble(std::uint32_t word, int bit, int nibble) {
  return (word & ~(std::uint32_t{0xF} << bit)) | static_cast<std::uint32_t>(nibble) << bit;
}

}  // namespace sectile
