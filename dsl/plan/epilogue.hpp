// How accumulators leave through shared memory: which panel a warpgroup writes, and what that costs in bank conflicts.
//
// A panel is 64 rows of one swizzle span. 16-bit outputs go through stmatrix (8 x 8 blocks), 32-bit ones through 8-byte
// stores of the two neighbouring columns that a thread holds. The widest panel without bank conflicts is chosen; widths
// are tried against the same bank model that the proof uses.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile {

constexpr int epilogue_rows = 64;

/// Byte of element (row, col) in a panel whose rows are one span of `mode` wide.
constexpr int panel_offset(swizzle_mode mode, int element_bits, int row, int col) {
  return static_cast<int>(byte_swizzle(mode)(row * span_bytes(mode) + col * element_bits / 8));
}

/// Columns that one store of a warp covers: of 16-bit outputs four (or two) 8 x 8 blocks, of 32-bit ones 8.
constexpr int store_cols(int element_bits, int panel_cols) { return element_bits == 16 && panel_cols >= 16 ? 16 : 8; }
/// Stores of a warp that cover these columns of its 16 rows.
constexpr int stores_per_step(int element_bits) { return element_bits == 16 ? 1 : 2; }

/// The row (of the warp's 16) and column (of the step) of what `lane` addresses in store number `n` of a step: 16 bytes
/// of a row for stmatrix, 8 bytes (a pair of neighbours) for a plain store.
constexpr position store_address(int element_bits, int step, int lane, int n) {
  if (element_bits == 16) return step == 16 ? stmatrix_row_address(lane) : stmatrix_x2_row_address(lane);
  return {lane / 4 + 8 * n, 2 * (lane % 4)};
}

/// Which part of a consumer's rows of the output's tile is its panel number `n`: the first row and column. (Of numbers,
/// not of a plan: in a kernel that would be an object in memory.)
constexpr position panel_origin(int tile_cols, int panel_cols, int n) {
  const int per_block = tile_cols / panel_cols;
  return {n / per_block * epilogue_rows, n % per_block * panel_cols};
}

/// The worst bank conflict of one warp's stores into a panel, over all the columns it writes.
constexpr int panel_conflicts(swizzle_mode mode, int element_bits) {
  const int cols = span_bytes(mode) * 8 / element_bits;
  int worst = 1;
  const int step = store_cols(element_bits, cols);
  for (int c = 0; c < cols; c += step) {
    const auto lane_address = [&](int lane) {
      const position at = store_address(element_bits, step, lane, 0);
      return panel_offset(mode, element_bits, at.row, c + at.col);
    };
    const int degree =
        element_bits == 16 ? matrix_conflict_degree(lane_address, step / 4) : conflict_degree(lane_address, 8);
    if (degree > worst) worst = degree;
  }
  return worst;
}

/// The panel for the output operand `o`: of the spans that divide its tile, the widest with the fewest conflicts.
constexpr epilogue_plan plan_epilogue(const plan& p, int o) {
  const operand_facts& f = p.operand[o].facts;
  constexpr swizzle_mode modes[] = {swizzle_mode::b128, swizzle_mode::b64, swizzle_mode::b32, swizzle_mode::none};
  epilogue_plan e{};
  e.operand = o;
  for (const swizzle_mode mode : modes) {
    const int cols = span_bytes(mode) * 8 / f.type.bits;
    if (cols % 8 != 0 || f.cols() % cols != 0) continue;
    const int conflicts = panel_conflicts(mode, f.type.bits);
    if (e.panel_cols && conflicts >= e.bank_conflicts) continue;
    e.panel_cols = cols;
    e.swizzle = mode;
    e.bank_conflicts = conflicts;
  }
  e.panel_bytes = epilogue_rows * span_bytes(e.swizzle);
  e.panels = f.rows() / epilogue_rows / p.how.consumers * (f.cols() / e.panel_cols);
  return e;
}

}  // namespace sectile
