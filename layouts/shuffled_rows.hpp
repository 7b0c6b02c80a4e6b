#pragma once
// Rows of memory in the order of shuffled_columns.hpp: how they are made.
#include <sectile/layouts/shuffled_columns.hpp>

namespace sectile {

/// The column of the element that memory has at a place of a row. element_bits: 8 or 4.
constexpr int column_at_place(int element_bits, int place) {
  const int pairs = 16 / element_bits, word = 2 * pairs;  // of a word
  const int block = place / shuffled_columns(element_bits) * shuffled_columns(element_bits);
  const int at = place % word, lane = place / word % 4, half = (place - block) / (4 * word);
  const int pair = element_bits == 8 ? at / 2 : at % pairs, of_pair = element_bits == 8 ? at % 2 : at / pairs;
  return block + half * 8 * pairs + 8 * pair + 2 * lane + of_pair;
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
