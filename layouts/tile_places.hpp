#pragma once
// Where one element of an operand tile is, in the terms of each that handles it: its core matrix, the TMA box that
// brings it, the instruction of wgmma that reads it. The inverses of what operand_tile.hpp says of whole tiles.

#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile {

/// A core matrix of a tile, counted along M or N and along K, and a place in it: row, and element of its 16 bytes.
struct core_matrix_place {
  int mn = 0;
  int k = 0;
  int row = 0;
  int column = 0;

  friend constexpr bool operator==(const core_matrix_place&, const core_matrix_place&) = default;
};

/// The core matrix that holds element (mn, k). Precondition: check(t).ok(), and the element is in the tile.
constexpr core_matrix_place core_matrix_at(const operand_tile& t, int mn, int k) {
  const int width = core_matrix_row_elements(t.element_bits);
  if (t.major == major::k) return {mn / core_matrix_rows, k / width, mn % core_matrix_rows, k % width};
  return {mn / width, k / core_matrix_rows, k % core_matrix_rows, mn % width};
}

/// A TMA box of a tile, as place_of_box() counts them, and the coordinate inside it as TMA counts: innermost first, in
/// elements of the box (bytes for one-bit elements).
struct box_coordinate {
  int box = 0;
  int x = 0;
  int y = 0;

  friend constexpr bool operator==(const box_coordinate&, const box_coordinate&) = default;
};

/// The box that brings element (mn, k). Precondition: check(t).ok(), and the element is in the tile.
constexpr box_coordinate box_at(const operand_tile& t, int mn, int k) {
  const tma_box box = box_of(t);
  const int along = t.major == major::k ? k : mn, row = t.major == major::k ? mn : k;
  return {along / panel_width(t) * boxes_per_panel(t) + row / box.extent[1],
          along % panel_width(t) * t.element_bits / box.element_bits, row % box.extent[1]};
}

/// Rows and columns of the instruction that reads a tile as operand A: 64 rows, or all of a tile that has not 64 times
/// some, and one step of K. That instructions of these extents can read the tile is for check(t, rows, columns) to say.
constexpr coord operand_a_step(const operand_tile& t) {
  return {t.mn % wgmma_rows == 0 ? wgmma_rows : t.mn, a_columns(t.element_bits)};
}

/// Whether the instructions of operand A cover a tile, so that its elements could come from registers.
constexpr bool fills_registers(const operand_tile& t) {
  return t.mn % wgmma_rows == 0 && t.k % a_columns(t.element_bits) == 0;
}

/// An instruction, counted along M and along K, and a place in the registers of its operand A.
struct operand_slot {
  coord instruction;
  register_slot slot;

  friend constexpr bool operator==(const operand_slot&, const operand_slot&) = default;
};

/// Where element (mn, k) is if operand A comes from registers. Precondition: fills_registers(t), and the element is in
/// the tile.
constexpr operand_slot operand_slot_at(const operand_tile& t, int mn, int k) {
  const int columns = a_columns(t.element_bits);
  return {{mn / wgmma_rows, k / columns}, a_slot(t.element_bits, mn % wgmma_rows, k % columns)};
}

/// The element (row: mn, col: k) that is there: the inverse of operand_slot_at().
constexpr coord element_in(const operand_tile& t, const operand_slot& at) {
  const coord inside = a_coord(t.element_bits, at.slot.thread, at.slot.reg, at.slot.part);
  return {at.instruction.row * wgmma_rows + inside.row, at.instruction.col * a_columns(t.element_bits) + inside.col};
}

}  // namespace sectile
