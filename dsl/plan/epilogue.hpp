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

/// The worst bank conflict of one warp's stores into a panel, over all the columns it writes.
constexpr int panel_conflicts(swizzle_mode mode, int element_bits) {
  const int cols = span_bytes(mode) * 8 / element_bits;
  int worst = 1;
  for (int c = 0; c < cols; c += element_bits == 16 && cols >= 16 ? 16 : 8) {
    const auto lane_address = [&](int lane) {
      const position at = element_bits == 16 ? stmatrix_row_address(lane) : position{lane / 4, 2 * (lane % 4)};
      return panel_offset(mode, element_bits, at.row, c + at.col);
    };
    const int degree = element_bits == 16 ? matrix_conflict_degree(lane_address, cols >= 16 ? 4 : 2)
                                          : conflict_degree(lane_address, 8);
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
