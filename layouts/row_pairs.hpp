#pragma once
// Elements of 8 bits that leave for memory along the rows of a fragment: two neighbours there, of rows 2u and 2u + 1
// and one column, are a unit of 16 bits, and stmatrix.trans stores 8 x 8 units at once: all 16 rows of a warp in 8
// columns.
//
// Lane 4g + q of a warp holds rows g and g + 8 of its 16, of each group of eight columns 2q and 2q + 1.
// stmatrix.trans takes from it the units of rows 2g and 2g + 1, in the same columns. So lanes exchange words that are
// alike in q: where g < 4 a lane needs the upper of the two rows that lanes 2g and 2g + 1 hold, else the lower one of
// lanes 2g - 8 and 2g - 7.
//
// A word carries a row's pairs of columns of two groups, and two rounds do for both, as no lane could have two words by
// fewer. In round r lane g offers its upper row if g % 2 is r, else its lower one, and reads from 2 (g % 4) + (g / 4 ^
// r): the even row of its two in round g / 4, the odd one in the other.

#include <cstdint>

#include <sectile/layouts/operand_exchange.hpp>

namespace sectile {

/// The unit in part `part` of register `reg`, one register for each group of eight columns: which of the fragment's
/// pairs of rows, and which column.
constexpr coord row_pair_coord(int thread, int reg, int part) {
  return {thread / 32 * 8 + thread % 32 / 4, 8 * reg + 2 * (thread % 4) + part};
}

/// stmatrix.trans of such registers (.x4, .x2 or .x1: four, two or one) into a column-major tile: the unit, of a warp's
/// 8 x 32, where the 16 bytes begin that `lane` addresses. They are a whole column of the warp's rows.
constexpr coord stmatrix_row_pair_address(int lane) { return {0, lane}; }

namespace detail {
/// Bytes 0 and 1 of x (`upper`: bytes 2 and 3), each with the same of y above it.
constexpr std::uint32_t interleave_bytes(bool upper, std::uint32_t x, std::uint32_t y) {
  if (upper) x >>= 16, y >>= 16;
  return (x & 0xFFu) | (y & 0xFFu) << 8 | (x & 0xFF00u) << 8 | (y & 0xFF00u) << 16;
}
}  // namespace detail

/// Makes one register of units for each of `Groups` (1 to 4) groups of eight columns.
/// pair[2m], pair[2m + 1]: elements 4m, 4m + 1 and 4m + 2, 4m + 3 of the thread's f32 or s32 accumulator, from group m
/// on, converted to 8 bits, in bits 0..7 and 8..15; bits 16..31 are ignored. Of an odd number of groups the next one is
/// made of whatever is there.
/// shuffle(x, l): every lane gives x and gets what lane l of its warp (0..31) gave; called by every lane, as often as
/// there are groups, but twice for one.
template <int Groups, class Shuffle>
constexpr void pair_rows(const std::uint32_t (&pair)[8], int lane, std::uint32_t (&unit)[4], Shuffle shuffle) {
  const int g = lane / 4, source = lane % 4 + 4 * (2 * (g % 4) + g / 4);
  for (int m = 0; m < Groups; m += 2) {
    const std::uint32_t upper = (pair[2 * m] & 0xFFFFu) | pair[2 * m + 2] << 16;
    const std::uint32_t lower = (pair[2 * m + 1] & 0xFFFFu) | pair[2 * m + 3] << 16;
    const std::uint32_t first = shuffle(g % 2 ? lower : upper, source);
    const std::uint32_t second = shuffle(g % 2 ? upper : lower, source ^ 4);
    const std::uint32_t even = g / 4 ? second : first;
    const std::uint32_t odd = g / 4 ? first : second;
    unit[m] = detail::interleave_bytes(false, even, odd);
    unit[m + 1] = detail::interleave_bytes(true, even, odd);
  }
}

namespace detail {
/// Whether the exchange brings every element's row, or its column, into the unit that has it.
template <int Groups>
constexpr bool pairs_carry(bool by_row) {
  const auto tag = [by_row](coord at) { return static_cast<std::uint32_t>(by_row ? at.row : at.col); };
  const auto make = [&](int thread, std::uint32_t(&made)[Groups], auto shuffle) {
    std::uint32_t pair[8] = {}, unit[4] = {};
    for (int p = 0; p < 2 * Groups; ++p) pair[p] = tag(d_coord(thread, 2 * p)) | tag(d_coord(thread, 2 * p + 1)) << 8;
    pair_rows<Groups>(pair, thread % 32, unit, shuffle);
    for (int m = 0; m < Groups; ++m) made[m] = unit[m];
  };
  return exchange_yields<Groups>(8, 4, make, [&](int thread, int reg, int part) {
    const coord unit = row_pair_coord(thread, reg, part / 2);
    return tag({2 * unit.row + part % 2, unit.col});
  });
}
}  // namespace detail

/// Proof that pair_rows() of so many groups (1 to 4) makes the units that row_pair_coord() says, each of two
/// neighbours in a column, and that stmatrix.trans puts each at its own row and column of the warp's.
template <int Groups>
constexpr bool exchange_pairs_rows() {
  for (int thread = 0; thread < warpgroup_threads; ++thread)
    for (int q = 0; q < Groups; ++q)
      for (int part = 0; part < 2; ++part) {
        const coord held = row_pair_coord(thread, q, part);
        const coord stored = detail::stored_at(stmatrix_row_pair_address, true, q, thread % 32, part);
        if (stored != coord{held.row % 8, held.col}) return false;
      }
  return detail::pairs_carry<Groups>(true) && detail::pairs_carry<Groups>(false);
}

}  // namespace sectile
