// Sparse operands for the tests: which places of A are stored, and the words in which 128 threads say so.
#pragma once

#include <cstdint>
#include <sectile/dsl/plan/instruction.hpp>
#include <vector>

namespace kit {

/// The places of the stored elements of 64 rows, in order, two of each group of four (tf32: one of each two).
struct sparse_places {
  int width = 4;             ///< columns of a group
  int groups = 0;            ///< in a row
  std::vector<int> nibbles;  ///< row by row

  /// choose(n) gives a number 0 .. n - 1. Of a dense instruction there are none.
  template <class Choose>
  sparse_places(const sectile::wgmma_instruction& i, Choose choose) {
    if (!i.sparse) return;
    width = i.a.bits == 32 ? 2 : 4;
    groups = i.k / width;
    constexpr int pairs[] = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE}, halves[] = {0x4, 0xE};
    for (int at = 0; at < 64 * groups; ++at) nibbles.push_back(width == 2 ? halves[choose(2)] : pairs[choose(6)]);
  }

  int& nibble(int row, int group) { return nibbles[static_cast<std::size_t>(row * groups + group)]; }
  int nibble(int row, int group) const { return nibbles[static_cast<std::size_t>(row * groups + group)]; }

  /// The logical column of stored element s of the row.
  int column(int row, int s) const {
    if (width == 2) return 2 * s + (nibble(row, s) == 0xE ? 1 : 0);
    return 4 * (s / 2) + (nibble(row, s / 2) >> 2 * (s % 2) & 3);
  }

  /// The words of the 128 threads, as the tables of the PTX ISA have them thread by thread. Words that nobody reads
  /// hold `unused`.
  std::vector<std::uint32_t> words(const sectile::wgmma_instruction& i, std::uint32_t unused) const {
    std::vector<std::uint32_t> all(128, unused);
    if (groups == 0) return all;
    for (int thread = 0; thread < 128; ++thread) {
      const int lane = thread % 32, upper = thread / 32 * 16 + lane / 4, column = lane % 4;
      std::uint32_t word = 0;
      for (int n = 0; n < 8; ++n) {
        if (i.a.bits ==
            8) {  // lanes 0, 1 of each four: the first half of K of rows r and r + 8; lanes 2, 3: the second
          word |= static_cast<std::uint32_t>(nibble(upper + 8 * (column % 2), 8 * (column / 2) + n)) << 4 * n;
        } else {  // two of each four lanes, the first or the last two: half of K of row r and, above it, of row r + 8
          word |= static_cast<std::uint32_t>(nibble(upper + 8 * (n / 4), 4 * (column % 2) + n % 4)) << 4 * n;
        }
      }
      if (i.a.bits == 8 || column / 2 == i.selector) all[static_cast<std::size_t>(thread)] = word;
    }
    return all;
  }
};

}  // namespace kit
