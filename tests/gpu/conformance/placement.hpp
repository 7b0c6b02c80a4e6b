// Where an operand of one instruction lies in shared memory: a tile that is wider than the instruction, in every legal
// layout, and the instruction's place in it.
#pragma once
#include <cstdint>
#include <sectile/dsl/plan/instruction.hpp>
#include <sectile/layouts/operand_tile.hpp>
#include <vector>

#include "data.hpp"

namespace sectile::conformance {

struct placement {
  operand_tile tile;
  int mn0, k0;  // first element of the instruction

  matrix_descriptor descriptor() const { return descriptor_at(tile, mn0, k0); }
};

struct piece {
  std::uint32_t place;  // byte in the tile
  std::uint8_t bytes[16];
};

/// Operand of `rows` rows and `row_bytes` bytes of K, element_bits wide.
struct extent {
  int rows, row_bytes, element_bits;
  sectile::major major;

  int k() const { return row_bytes * 8 / element_bits; }
};

/// Whether one instruction can read it with this swizzle: K of a K-major one has to fit the span.
constexpr bool can_swizzle(const extent& e, swizzle_mode s) {
  return e.major == major::mn || s == swizzle_mode::none || span_bytes(s) % e.row_bytes == 0;
}

/// A tile around the instruction: two spans or steps along K, more rows where they fit, and a place in it.
inline placement place(const extent& e, swizzle_mode swizzle, random_bits& random) {
  operand_tile t{.mn = e.rows, .k = 2 * e.k(), .element_bits = e.element_bits, .major = e.major, .swizzle = swizzle};
  if (e.major == major::k) {
    if (swizzle != swizzle_mode::none) t.k = 2 * span_bytes(swizzle) * 8 / e.element_bits;
    if (e.rows <= 64) t.mn = 2 * e.rows;
  } else {
    const int panel = panel_width(t);
    t.mn = (e.rows + panel - 1) / panel * panel;
    if (t.mn == e.rows && e.rows <= 64) t.mn = 2 * e.rows;
  }
  // An instruction that takes part of a panel can only be its first.
  const bool whole = t.major == major::k || e.rows % panel_width(t) == 0;
  const int mn0 = whole ? random.below(t.mn / e.rows) * e.rows : 0;
  return {t, mn0, random.below(t.k / e.k()) * e.k()};
}

/// The pieces of 16 bytes that hold the operand. rows: K-contiguous.
inline void append_pieces(const placement& p, const extent& e, const std::vector<std::uint8_t>& rows,
                          std::uint32_t base, std::vector<piece>& to) {
  const tile_writer written_at_element(p.tile);
  const auto byte = [&](int row, int at) { return rows[static_cast<std::size_t>(row * e.row_bytes + at)]; };
  const int size = e.element_bits / 8;
  if (e.major == major::k) {
    for (int row = 0; row < e.rows; ++row) {
      for (int at = 0; at < e.row_bytes; at += 16) {
        piece x{base + written_at_element(p.mn0 + row, p.k0 + at * 8 / e.element_bits), {}};
        for (int i = 0; i < 16; ++i) x.bytes[i] = byte(row, at + i);
        to.push_back(x);
      }
    }
    return;
  }
  for (int k = 0; k < e.k(); ++k) {
    for (int row = 0; row < e.rows; row += 16 / size) {
      piece x{base + written_at_element(p.mn0 + row, p.k0 + k), {}};
      for (int i = 0; i < 16; ++i) x.bytes[i] = byte(row + i / size, k * size + i % size);
      to.push_back(x);
    }
  }
}

}  // namespace sectile::conformance
