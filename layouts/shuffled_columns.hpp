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

/// The column of the element that memory has at a place of a row, and the way back. element_bits: 8 or 4.
constexpr int column_at_place(int element_bits, int place) {
  const int pairs = 16 / element_bits, word = 2 * pairs;  // of a word
  const int block = place / shuffled_columns(element_bits) * shuffled_columns(element_bits);
  const int at = place % word, lane = place / word % 4, half = (place - block) / (4 * word);
  const int pair = element_bits == 8 ? at / 2 : at % pairs, of_pair = element_bits == 8 ? at % 2 : at / pairs;
  return block + half * 8 * pairs + 8 * pair + 2 * lane + of_pair;
}
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

/// A row of `columns` elements, shuffled: from `row` to `out`, which must not overlap. `columns` is a multiple of
/// shuffled_columns(element_bits).
constexpr void shuffle_row(int element_bits, const std::uint8_t* row, std::uint8_t* out, std::int64_t columns) {
  const int in_byte = 8 / element_bits, mask = (1 << element_bits) - 1;
  for (std::int64_t at = 0; at < columns / in_byte; ++at) {
    int byte = 0;
    for (int i = 0; i < in_byte; ++i) {
      const std::int64_t place = at * in_byte + i, block = place - place % shuffled_columns(element_bits);
      const std::int64_t column = block + column_at_place(element_bits, static_cast<int>(place - block));
      byte |= (row[column / in_byte] >> element_bits * (column % in_byte) & mask) << element_bits * i;
    }
    out[at] = static_cast<std::uint8_t>(byte);
  }
}

}  // namespace sectile
