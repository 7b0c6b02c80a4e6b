// The order in memory that spares lanes an exchange.
#include <doctest/doctest.h>

#include <sectile/layouts/same.hpp>
#include <sectile/layouts/shuffled_layout.hpp>
#include <sectile/layouts/shuffled_rows.hpp>

#include <array>

#include "tests/static_check.hpp"

namespace {

using namespace sectile;

/// Proof that what ldmatrix brings of shuffled elements are the pairs of a left factor of 16 bits: of all threads, with
/// elements that are their own row, then their own column.
constexpr bool shuffled_pairs_line_up(int element_bits) {
  constexpr int most = 8;  // of each name's bits an element has room for some
  bool right = true;
  for (int first = 0; first < most && right; first += element_bits)
    for (const bool by_row : {true, false})
      for (int thread = 0; thread < warpgroup_threads && right; ++thread) {
        const auto tag = [&](coord at) {
          return static_cast<std::uint32_t>(by_row ? at.row : at.col) >> first & ((1u << element_bits) - 1);
        };
        std::uint32_t word[4]{};
        for (int reg = 0; reg < 4; ++reg)
          for (int part = 0; part < a_parts(element_bits); ++part) {
            coord at = a_coord(element_bits, thread, reg, part);
            at.col = column_at_place(element_bits, at.col);
            word[reg] |= tag(at) << element_bits * part;
          }
        for (int p = 0; p < shuffled_columns(element_bits) / 4; ++p) {
          const std::uint32_t pair = element_bits == 8 ? shuffled_pair<8>(word, p) : shuffled_pair<4>(word, p);
          for (int part = 0; part < 2; ++part) {
            coord wanted = a_coord(16, thread, p % 4, part);
            wanted.col += p / 4 * a_columns(16);
            right = right && (pair >> (element_bits == 8 ? 8 : 16) * part & ((1u << element_bits) - 1)) == tag(wanted);
          }
        }
      }
  return right;
}
STATIC_CASE(shuffled_pairs_line_up(8) && shuffled_pairs_line_up(4));

constexpr bool numbers_are_the_layout(int bits) {
  const layout l = shuffled_layout(bits);
  const int columns = shuffled_columns(bits);
  if (size(l) != columns) return false;
  for (int place = 0; place < 3 * columns; ++place) {
    const int column = column_at_place(bits, place);
    if (column != place / columns * columns + l(place % columns)) return false;
    if (place_of_column(bits, column) != place) return false;
  }
  return true;
}
STATIC_CASE(numbers_are_the_layout(8) && numbers_are_the_layout(4));

// Lane 1 of a row has columns 2 and 3 of each eight.
STATIC_CASE(column_at_place(8, 4) == 2 && column_at_place(8, 5) == 3 && column_at_place(8, 6) == 10);
STATIC_CASE(column_at_place(4, 8) == 2 && column_at_place(4, 9) == 10 && column_at_place(4, 12) == 3);
STATIC_CASE(column_at_place(4, 32) == 32 && column_at_place(8, 48) == 48);

TEST_CASE("a shuffled row has the same elements, each at its place") {
  std::array<std::uint8_t, 64> row{}, out{};
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint8_t>(37 * i + 11);
  shuffle_row(8, row.data(), out.data(), 64);
  for (int c = 0; c < 64; ++c)
    CHECK(out[static_cast<std::size_t>(place_of_column(8, c))] == row[static_cast<std::size_t>(c)]);
  shuffle_row(4, row.data(), out.data(), 128);
  const auto nibble = [](const auto& bytes, int i) {
    return bytes[static_cast<std::size_t>(i / 2)] >> 4 * (i % 2) & 15;
  };
  for (int c = 0; c < 128; ++c) CHECK(nibble(out, place_of_column(4, c)) == nibble(row, c));
}

}  // namespace
