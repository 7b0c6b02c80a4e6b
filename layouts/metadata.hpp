#pragma once
// Where the metadata of a sparse operand A sits: in the registers of a warpgroup (one 32-bit word per thread), and in
// memory.
//
// A block is the 128 words of a warpgroup, thread t's word at index t: eight groups' metadata each, 64 rows by 16
// groups in all, which is metadata_k columns of the matrix. For 8-bit elements that is one instruction. For wider ones
// it is two, and each reads the words of two of every four lanes only; `selector` tells it which two. Stored as here, a
// block serves its two instructions from the same register, with selector 0 and 1 in turn.
//
// The metadata of an M x K matrix is a row-major matrix of words, one row per 64 rows and 128 words per block, so that
// TMA brings the metadata of a tile as one box.
//
// Source: PTX ISA, "Sparse matrix storage" of wgmma.mma_async.sp (figures of metadata for each type).

#include <cstdint>

#include <sectile/layouts/sparse.hpp>

namespace sectile {

/// The four bits from `bit` up of the metadata word of `thread`.
struct metadata_slot {
  int thread = 0;
  int bit = 0;

  friend constexpr bool operator==(const metadata_slot&, const metadata_slot&) = default;
};

/// A group of a row, counted in groups.
struct group_coord {
  int row = 0;
  int group = 0;

  friend constexpr bool operator==(const group_coord&, const group_coord&) = default;
};

/// Groups of a row in one instruction.
constexpr int instruction_groups(int element_bits) { return metadata_groups / metadata_selectors(element_bits); }

/// Where the metadata of group `group` (0..15) of row `row` (0..63) of a block is.
constexpr metadata_slot metadata_slot_of(int element_bits, int row, int group) {
  const int lower = row % 16 / 8;  // the second of the two rows, 8 apart, that four lanes share
  if (element_bits == 8) return {thread_of(row, 2 * (group / 8) + lower), 4 * (group % 8)};
  return {thread_of(row, group / 4), 4 * (group % 4) + 16 * lower};
}

/// Whose metadata is at bits bit .. bit + 3 of thread's word: the inverse.
constexpr group_coord metadata_group_of(int element_bits, int thread, int bit) {
  if (element_bits == 8) return {first_row(thread) + 8 * (thread % 2), 8 * (thread / 2 % 2) + bit / 4};
  return {first_row(thread) + 8 * (bit / 16), 4 * (thread % 4) + bit % 16 / 4};
}

/// Whether an instruction with `selector` reads the metadata word of `thread`.
constexpr bool reads_metadata(int element_bits, int selector, int thread) {
  return metadata_group_of(element_bits, thread, 0).group / instruction_groups(element_bits) == selector;
}

/// The same two maps for one instruction with a selector; groups count from the instruction's first. The inverse asks
/// for a thread that the instruction reads.
constexpr metadata_slot metadata_slot_of(int element_bits, int selector, int row, int group) {
  return metadata_slot_of(element_bits, row, selector * instruction_groups(element_bits) + group);
}
constexpr group_coord metadata_group_of(int element_bits, int selector, int thread, int bit) {
  const group_coord in_block = metadata_group_of(element_bits, thread, bit);
  return {in_block.row, in_block.group - selector * instruction_groups(element_bits)};
}

/// Size of the metadata of an M x K matrix, in words: rows of blocks, and words in each.
constexpr std::int64_t metadata_rows(std::int64_t m) { return (m + wgmma_rows - 1) / wgmma_rows; }
constexpr std::int64_t metadata_cols(std::int64_t k, int element_bits) {
  return (k + metadata_k(element_bits) - 1) / metadata_k(element_bits) * metadata_words;
}

/// The four bits from `bit` up of the word in row `row`, column `col` of the matrix of metadata.
struct metadata_place {
  std::int64_t row = 0;
  std::int64_t col = 0;
  int bit = 0;

  friend constexpr bool operator==(const metadata_place&, const metadata_place&) = default;
};

/// Where the metadata of group `group` of row `row` of a whole matrix is.
constexpr metadata_place metadata_place_of(int element_bits, std::int64_t row, std::int64_t group) {
  const metadata_slot slot =
      metadata_slot_of(element_bits, static_cast<int>(row % wgmma_rows), static_cast<int>(group % metadata_groups));
  return {row / wgmma_rows, group / metadata_groups * metadata_words + slot.thread, slot.bit};
}

/// A group of a whole matrix: its row, and its number along the row.
struct matrix_group {
  std::int64_t row = 0;
  std::int64_t group = 0;

  friend constexpr bool operator==(const matrix_group&, const matrix_group&) = default;
};

/// Whose metadata is at a place: the inverse. Past the matrix's edges that is a group which does not exist.
constexpr matrix_group metadata_group_at(int element_bits, const metadata_place& at) {
  const group_coord in_block = metadata_group_of(element_bits, static_cast<int>(at.col % metadata_words), at.bit);
  return {at.row * wgmma_rows + in_block.row, at.col / metadata_words * metadata_groups + in_block.group};
}

}  // namespace sectile
