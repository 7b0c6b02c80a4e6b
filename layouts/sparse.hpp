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

#include <sectile/layouts/fragment.hpp>

namespace sectile {

/// Neighbours along a row that share four bits of metadata.
constexpr int sparse_group(int element_bits) { return element_bits == 32 ? 2 : 4; }

/// How many of a group are stored.
constexpr int sparse_kept(int element_bits) { return sparse_group(element_bits) / 2; }

/// Columns (K) of the whole matrix that one sparse instruction takes: 64 bytes; half of them are stored.
constexpr int sparse_k(int element_bits) { return 512 / element_bits; }

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

/// Proof that every set of elements a group may keep has one legal nibble and every legal nibble one set, and that sets
/// which are too small are filled up to one of those.
constexpr bool nibbles_are_exact(int element_bits) {
  int legal = 0;
  for (int nibble = 0; nibble < 16; ++nibble) {
    if (!is_legal_nibble(element_bits, nibble)) continue;
    ++legal;
    if (nibble_of_mask(element_bits, kept_mask(element_bits, nibble)) != nibble) return false;
  }
  for (unsigned mask = 0; mask < 1u << sparse_group(element_bits); ++mask) {
    if (!fits_group(element_bits, mask)) continue;
    const int nibble = nibble_of_mask(element_bits, mask);
    if (!is_legal_nibble(element_bits, nibble) || (mask & ~kept_mask(element_bits, nibble)) != 0) return false;
  }
  return legal == (element_bits == 32 ? 2 : 6);
}

/// The first of the columns of the whole matrix, counted within the instruction, that register `reg` (0..3) of sparse A
/// stands for, and its row. The register's elements were chosen from sparse_window_columns columns from there on; they
/// are stored as a_coord says.
constexpr coord sparse_window(int element_bits, int thread, int reg) {
  return a_coord(element_bits / 2, thread, reg, 0);
}

/// Columns of the whole matrix that one register's elements were chosen from.
constexpr int sparse_window_columns(int element_bits) { return a_parts(element_bits / 2); }

/// The row of, and the group within the instruction that holds, element `part` of register `reg` of sparse A, as if the
/// group were a column.
constexpr coord sparse_group_of(int element_bits, int thread, int reg, int part) {
  const coord stored = a_coord(element_bits, thread, reg, part);
  return {stored.row, stored.col / sparse_kept(element_bits)};
}

/// Proof that no group is split over two registers: each register's groups fill its window, in order.
constexpr bool sparse_windows_hold_groups(int element_bits) {
  const int group = sparse_group(element_bits);
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    for (int reg = 0; reg < 4; ++reg) {
      const coord window = sparse_window(element_bits, thread, reg);
      for (int part = 0; part < a_parts(element_bits); ++part) {
        const coord at = sparse_group_of(element_bits, thread, reg, part);
        const int expected = window.col + part / sparse_kept(element_bits) * group;
        if (at.row != window.row || at.col * group != expected) return false;
      }
    }
  }
  return sparse_window_columns(element_bits) == a_parts(element_bits) / sparse_kept(element_bits) * group;
}

}  // namespace sectile
