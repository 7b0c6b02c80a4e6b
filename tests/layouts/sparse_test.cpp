// Nibbles of metadata, where they live in threads and in memory, and sparse A in registers: closed formulas against the
// tables of the PTX ISA and against CuTe's layouts.
#include <doctest/doctest.h>

#include <initializer_list>
#include <sectile/layouts/notation.hpp>
#include <sectile/layouts/sparse.hpp>
#include <sectile/layouts/sparse_layout.hpp>
#include <set>
#include <tuple>

#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;

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

/// Proof that an instruction with `selector` finds every group's metadata in exactly one slot of the threads it reads,
/// and that those threads' words hold nothing else.
constexpr bool metadata_is_bijection(int element_bits, int selector) {
  const int groups = instruction_groups(element_bits);
  int slots = 0;
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    if (!reads_metadata(element_bits, selector, thread)) continue;
    for (int bit = 0; bit < 32; bit += 4, ++slots) {
      const group_coord at = metadata_group_of(element_bits, selector, thread, bit);
      if (at.row < 0 || at.row >= wgmma_rows || at.group < 0 || at.group >= groups) return false;
      if (metadata_slot_of(element_bits, selector, at.row, at.group) != metadata_slot{thread, bit}) return false;
    }
  }
  return slots == wgmma_rows * groups;
}

/// Proof that the instructions of a block together read each of its words, each word once.
constexpr bool metadata_fills_block(int element_bits) {
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    int readers = 0;
    for (int s = 0; s < metadata_selectors(element_bits); ++s) readers += reads_metadata(element_bits, s, thread);
    if (readers != 1) return false;
  }
  for (int s = 0; s < metadata_selectors(element_bits); ++s) {
    if (!metadata_is_bijection(element_bits, s)) return false;
  }
  return true;
}

STATIC_CASE(nibbles_are_exact(8) && nibbles_are_exact(16) && nibbles_are_exact(32));
STATIC_CASE(fits_group(16, 0b0101) && !fits_group(16, 0b0111) && fits_group(32, 0b10) && !fits_group(32, 0b11));
STATIC_CASE(sparse_k(8) == 64 && sparse_k(16) == 32 && sparse_k(32) == 16);
STATIC_CASE(metadata_k(8) == 64 && metadata_k(16) == 64 && metadata_k(32) == 32);
STATIC_CASE(metadata_selectors(8) == 1 && metadata_selectors(16) == 2 && metadata_selectors(32) == 2);
STATIC_CASE(metadata_is_bijection(8, 0) && metadata_fills_block(8));
STATIC_CASE(metadata_is_bijection(16, 0) && metadata_is_bijection(16, 1) && metadata_fills_block(16));
STATIC_CASE(metadata_is_bijection(32, 0) && metadata_is_bijection(32, 1) && metadata_fills_block(32));
STATIC_CASE(!metadata_is_bijection(8, 1) && !metadata_is_bijection(16, 2));
STATIC_CASE(sparse_windows_hold_groups(8) && sparse_windows_hold_groups(16) && sparse_windows_hold_groups(32));
STATIC_CASE(!metadata_fills_block(4) && !sparse_windows_hold_groups(64));  // of no width that there is

// The tables of the PTX ISA for lane 5 of warp 1 (thread 37): rows 17 and 25.
STATIC_CASE(metadata_group_of(16, 0, 37, 0) == group_coord{17, 4} && reads_metadata(16, 0, 37));
STATIC_CASE(metadata_group_of(16, 0, 37, 28) == group_coord{25, 7} && !reads_metadata(16, 1, 37));
STATIC_CASE(metadata_group_of(32, 0, 37, 20) == group_coord{25, 5});
STATIC_CASE(metadata_group_of(8, 0, 37, 28) == group_coord{25, 7});
STATIC_CASE(metadata_group_of(16, 1, 39, 4) == group_coord{17, 5} && reads_metadata(16, 1, 39));
STATIC_CASE(metadata_selector(16, 5) == 1 && metadata_block(16, 5) == 2);
STATIC_CASE(metadata_selector(8, 5) == 0 && metadata_block(8, 5) == 5);

STATIC_CASE(metadata_rows(1) == 1 && metadata_rows(64) == 1 && metadata_rows(65) == 2);
STATIC_CASE(metadata_cols(64, 16) == 128 && metadata_cols(68, 16) == 256 && metadata_cols(34, 32) == 256);

STATIC_CASE(sparse_window(16, 37, 2) == coord{17, 20} && sparse_window_columns(16) == 4);
STATIC_CASE(sparse_window(8, 37, 3) == coord{25, 40} && sparse_window_columns(8) == 8);
STATIC_CASE(sparse_window(32, 37, 1) == coord{25, 2} && sparse_window_columns(32) == 2);

STATIC_CASE(metadata_layout(8) == "((2,2,8,4),32):((8,2048,1,16),64)"_layout);
STATIC_CASE(metadata_layout(16) == "((2,2,8,4),(16,2)):((1024,0,1,16),(64,8))"_layout);
STATIC_CASE(metadata_layout(32) == "((2,2,8,4),(8,2)):((512,0,1,16),(64,8))"_layout);
STATIC_CASE(metadata_block_layout(16) == "((2,2,8,4),(16,2)):((1024,2048,1,16),(64,8))"_layout);
STATIC_CASE(sparse_a_layout(8) == "((4,8,4),(8,2,2)):((512,1,16),(64,8,2048))"_layout);
STATIC_CASE(sparse_a_layout(16) == a_layout(8) && sparse_a_layout(32) == a_layout(16));

TEST_CASE("nibbles of the PTX ISA's table") {
  const int ordered[][3] = {{0, 1, 0x4}, {0, 2, 0x8}, {0, 3, 0xC}, {1, 2, 0x9}, {1, 3, 0xD}, {2, 3, 0xE}};
  for (const int bits : {8, 16}) {
    for (const auto& [first, second, nibble] : ordered) {
      CHECK(nibble_of_mask(bits, 1u << first | 1u << second) == nibble);
      CHECK(kept_index(bits, nibble, 0) == first);
      CHECK(kept_index(bits, nibble, 1) == second);
    }
    for (const int nibble : {-1, 0x0, 0x1, 0x2, 0x3, 0x5, 0x6, 0x7, 0xA, 0xB, 0xF, 16}) {
      CHECK(!is_legal_nibble(bits, nibble));
    }
    CHECK(nibble_of_mask(bits, 0b0000) == 0x4);
    CHECK(nibble_of_mask(bits, 0b0001) == 0x4);
    CHECK(nibble_of_mask(bits, 0b0010) == 0x4);
    CHECK(nibble_of_mask(bits, 0b0100) == 0x8);
    CHECK(nibble_of_mask(bits, 0b1000) == 0xC);
  }
  CHECK(nibble_of_mask(32, 0b00) == 0x4);
  CHECK(nibble_of_mask(32, 0b01) == 0x4);
  CHECK(nibble_of_mask(32, 0b10) == 0xE);
  CHECK(kept_index(32, 0x4, 0) == 0);
  CHECK(kept_index(32, 0xE, 0) == 1);
  CHECK(!is_legal_nibble(32, 0x8));
  CHECK(empty_metadata == 0x11111111u * static_cast<unsigned>(empty_nibble));
}

TEST_CASE("every group of a block has four bits of its own, where the instruction with its selector looks") {
  for (const int bits : {8, 16, 32}) {
    std::set<std::tuple<int, int>> taken;
    for (int row = 0; row < 64; ++row) {
      for (int group = 0; group < metadata_groups; ++group) {
        const metadata_slot slot = metadata_slot_of(bits, row, group);
        CHECK(slot.thread >= 0);
        CHECK(slot.thread < metadata_words);
        CHECK(slot.bit % 4 == 0);
        CHECK(slot.bit < 32);
        taken.insert({slot.thread, slot.bit});
        CHECK(metadata_group_of(bits, slot.thread, slot.bit) == group_coord{row, group});
        const int selector = group / instruction_groups(bits);
        CHECK(reads_metadata(bits, selector, slot.thread));
        // As the PTX ISA has it: selector s of 16-bit and tf32 elements reads lanes 2s and 2s + 1 of every four.
        if (bits != 8) CHECK(slot.thread % 4 / 2 == selector);
        CHECK(metadata_slot_of(bits, selector, row, group % instruction_groups(bits)) == slot);
      }
    }
    CHECK(taken.size() == 64 * 16);
  }
}

TEST_CASE("formulas agree with the thread-value layouts") {
  for (const int bits : {8, 16, 32}) {
    const int group = sparse_group(bits);
    const layout one = metadata_layout(bits);
    const layout block = metadata_block_layout(bits);
    CHECK(size(block) == 64 * metadata_k(bits));
    for (int thread = 0; thread < 128; ++thread) {
      for (int value = 0; value < 8 * group; ++value) {
        const int bit = 4 * (value / group);
        const group_coord in_block = metadata_group_of(bits, thread, bit);
        CHECK(block(thread, value) == in_block.row + 64 * (in_block.group * group + value % group));
        for (int selector = 0; selector < metadata_selectors(bits); ++selector) {
          if (!reads_metadata(bits, selector, thread)) continue;
          const group_coord at = metadata_group_of(bits, selector, thread, bit);
          CHECK(one(thread, value) == at.row + 64 * (at.group * group + value % group));
        }
      }
      for (int reg = 0; reg < 4; ++reg) {
        const coord window = sparse_window(bits, thread, reg);
        const int columns = sparse_window_columns(bits);
        for (int i = 0; i < columns; ++i) {
          CHECK(sparse_a_layout(bits)(thread, columns * reg + i) == window.row + 64 * (window.col + i));
        }
      }
    }
  }
}

TEST_CASE("places in a whole matrix and back, ragged edges included") {
  constexpr int rows = 130;
  for (const int bits : {8, 16, 32}) {
    constexpr int groups = 37;
    const std::int64_t words = metadata_cols(groups * sparse_group(bits), bits);
    CHECK(words == 3 * 128);
    std::set<std::tuple<std::int64_t, std::int64_t, int>> taken;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t group = 0; group < groups; ++group) {
        const metadata_place at = metadata_place_of(bits, row, group);
        CHECK(at.row < metadata_rows(rows));
        CHECK(at.col < words);
        CHECK(metadata_group_at(bits, at) == matrix_group{row, group});
        taken.insert({at.row, at.col, at.bit});
      }
    }
    CHECK(taken.size() == static_cast<std::size_t>(rows * groups));
  }
  // Row 65 is row 1 of the second row of blocks; group 18 is group 2 of the second block.
  CHECK(metadata_place_of(16, 65, 18) == metadata_place{1, 128 + 4, 8});
}

TEST_CASE("the worked example: rows 0 and 8 of a 16-bit instruction, columns 0 to 15") {
  const int row0[] = {0x4, 0xD, 0xE, 0x8};  // keeps (0,1) (1,3) (2,3) (0,2)
  const int row8[] = {0xC, 0x9, 0x4, 0xE};  // keeps (0,3) (1,2) (0,1) (2,3)
  std::uint32_t word = 0;
  for (int group = 0; group < 4; ++group) {
    for (const int row : {0, 8}) {
      const metadata_slot slot = metadata_slot_of(16, 0, row, group);
      CHECK(slot.thread == 0);
      word = with_nibble(word, slot.bit, row == 0 ? row0[group] : row8[group]);
    }
  }
  CHECK(word == 0xE49C'8ED4u);
  CHECK(nibble_at(word, 4) == 0xD);
  CHECK(with_nibble(word, 4, 0x4) == 0xE49C'8E44u);
  CHECK(metadata_slot_of(16, 0, 0, 4) == metadata_slot{1, 0});
  CHECK(metadata_slot_of(16, 1, 0, 0) == metadata_slot{2, 0});
}
