#pragma once
// An order of columns in memory that spares lanes an exchange, for elements of 8 or 4 bits that become a left factor of
// 16 bits in registers.
//
// ldmatrix gives each lane words of four or eight neighbours. A factor of 16 bits wants pairs in a lane: of each 8
// columns lane q of a row's quad holds 2q and 2q + 1 (figures of `wgmma`, "Register Fragments", in the PTX ISA). So
// lanes have what others need, and exchange words (operand_exchange.hpp). A matrix that is used more than once, as
// weights are, can as well be stored so that each lane's words hold what that lane needs. Of a word's pairs the first
// is of the first 8 columns, and so on. Of 8 bits the two of a pair are neighbours, as conversions of two bytes take
// them. Of 4 bits they are 16 bits apart, each at the foot of a half, where the bits of 16-bit numbers are.
// As a layout: shuffled_layout.hpp.
#include <sectile/layouts/operand_exchange.hpp>

#include <cstdint>

namespace sectile {

/// Columns that are shuffled among each other: those that a lane's four words of a left factor are of.
constexpr int shuffled_columns(int element_bits) { return a_columns(element_bits); }

/// The place in a row of memory of the element of a column. element_bits: 8 or 4. (The way back: shuffled_rows.hpp.)
constexpr int place_of_column(int element_bits, int column) {
  const int pairs = 16 / element_bits, word = 2 * pairs;
  const int block = column / shuffled_columns(element_bits) * shuffled_columns(element_bits);
  const int half = (column - block) / (8 * pairs), pair = column / 8 % pairs, lane = column % 8 / 2;
  const int at = element_bits == 8 ? 2 * pair + column % 2 : pair + pairs * (column % 2);
  return block + (half * 4 + lane) * word + at;
}

/// Pair p of a step of a left factor of 16 bits, or of sums, out of the four words that a lane's ldmatrix brings of
/// shuffled elements: as exchanged_pair() has it.
template <int Bits>
constexpr std::uint32_t shuffled_pair(const std::uint32_t (&word)[4], int p) {
  constexpr int pairs = 16 / Bits;
  const std::uint32_t from = word[p / (2 * pairs) * 2 + p % 2];  // the chunk of 16 bytes, and the row of eight
  const int pair = p / 2 % pairs;
  return Bits == 8 ? from >> 16 * pair & 0xFFFFu : from >> 4 * pair;
}

}  // namespace sectile
