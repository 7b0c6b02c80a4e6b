#pragma once
// How an operand tile of wgmma lies in shared memory when TMA brings it, and the proof that the byte TMA writes for an
// element is the byte wgmma reads for it.
//
// A tile is a row of panels, back to back. A panel is one swizzle span (16 bytes without swizzle) of the contiguous
// direction wide and holds all of the other direction, one span per row: K-major [mn][span], MN-major [k][span]. A
// panel is what one TMA box brings; boxes have at most 256 rows, so a taller panel takes several boxes.
//
// Source: PTX ISA, "Shared Memory Matrix Layout" and "Strides"; the packing into panels is the one that TMA can
// produce.

#include <cstdint>
#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/major.hpp>
#include <sectile/layouts/swizzle.hpp>
#include <sectile/layouts/tma_box.hpp>

namespace sectile {

/// A tile of mn x k elements (M x K of operand A, N x K of operand B).
struct operand_tile {
  int mn = 0;
  int k = 0;
  int element_bits = 0;
  sectile::major major = sectile::major::k;
  swizzle_mode swizzle = swizzle_mode::none;

  friend constexpr bool operator==(const operand_tile&, const operand_tile&) = default;
};

/// Elements along the contiguous direction: K of a K-major tile, MN of an MN-major one.
constexpr int contiguous_extent(const operand_tile& t) { return t.major == major::k ? t.k : t.mn; }

/// Rows of a panel: the extent across the contiguous direction.
constexpr int panel_rows(const operand_tile& t) { return t.major == major::k ? t.mn : t.k; }

/// Elements along the contiguous direction that one panel holds.
constexpr int panel_width(const operand_tile& t) { return span_bytes(t.swizzle) * 8 / t.element_bits; }

/// How many panels a tile has, the bytes of one, and the bytes of the tile.
constexpr int panels(const operand_tile& t) { return contiguous_extent(t) / panel_width(t); }
constexpr int panel_bytes(const operand_tile& t) { return panel_rows(t) * span_bytes(t.swizzle); }
constexpr int bytes(const operand_tile& t) { return panels(t) * panel_bytes(t); }

/// Alignment (bytes) that the tile's base needs: its swizzle pattern must start where the hardware's does.
constexpr int alignment(const operand_tile& t) { return pattern_bytes(t.swizzle); }

/// TMA boxes that bring one panel: the fewest equal ones of at most 256 rows and a multiple of 8 rows each (so that
/// every box starts where the swizzle pattern does). Precondition: panel_rows(t) is a multiple of 8.
constexpr int boxes_per_panel(const operand_tile& t) {
  const int groups = panel_rows(t) / 8;
  int boxes = (panel_rows(t) + tma_max_box_extent - 1) / tma_max_box_extent;
  while (boxes < groups && groups % boxes != 0) ++boxes;
  return boxes;
}

/// TMA boxes that bring the tile.
constexpr int boxes(const operand_tile& t) { return panels(t) * boxes_per_panel(t); }

/// The box {panel width, rows} that brings a panel or an equal part of it. Elements of 1 or 4 bits travel as bytes.
constexpr tma_box box_of(const operand_tile& t) {
  const int bits = t.element_bits < 8 ? 8 : t.element_bits;
  return {.rank = 2,
          .extent = {span_bytes(t.swizzle) * 8 / bits, panel_rows(t) / boxes_per_panel(t)},
          .element_bits = bits,
          .swizzle = t.swizzle};
}

/// The widest swizzle whose span divides the contiguous extent (bytes along K for major::k, along MN for major::mn);
/// `none` if only 16 bytes do.
constexpr swizzle_mode largest_swizzle(major, int extent_bytes) {
  if (extent_bytes % span_bytes(swizzle_mode::b128) == 0) return swizzle_mode::b128;
  if (extent_bytes % span_bytes(swizzle_mode::b64) == 0) return swizzle_mode::b64;
  if (extent_bytes % span_bytes(swizzle_mode::b32) == 0) return swizzle_mode::b32;
  return swizzle_mode::none;
}

/// How far it is in a tile: from panel to panel, from row to row, from element to element of a row.
struct operand_steps {
  bool rows_along_k = false;  // K is contiguous
  int panel_width = 0, panel_bytes = 0, row_bytes = 0, element_bits = 0;
};
constexpr operand_steps steps_of(const operand_tile& t) {
  return {t.major == major::k, panel_width(t), panel_bytes(t), span_bytes(t.swizzle), t.element_bits};
}
/// Start of the descriptor of the instruction whose first element is (mn0, k0): bytes from the tile's base.
constexpr unsigned start_of(const operand_steps& s, int mn0, int k0) {
  const int along = s.rows_along_k ? k0 : mn0, row = s.rows_along_k ? mn0 : k0;
  return static_cast<unsigned>(along / s.panel_width * s.panel_bytes + row * s.row_bytes +
                               along % s.panel_width * s.element_bits / 8);
}
constexpr unsigned start_of(const operand_tile& t, int mn0, int k0) { return start_of(steps_of(t), mn0, k0); }

/// Descriptor of the instruction whose first element is (mn0, k0), its start relative to the tile's base: add the base.
/// Precondition: check(t, m_instruction, k_instruction).ok() and mn0, k0 are multiples of the instruction's extents.
///
///   K-major, swizzle   SBO: next 8 rows; LBO: unused by the hardware, 16 by convention. A K step inside the span moves
///                      the start by bytes inside the swizzled row, which works because the hardware XORs address bits.
///   K-major, none      SBO: next 8 rows (128 bytes); LBO: next 16 bytes of K, one panel on.
///   MN-major, swizzle  SBO: next 8 k; LBO: next panel along MN.
///   MN-major, none     SBO: next 16 bytes of MN, one panel on; LBO: next 8 k (128 bytes).
constexpr matrix_descriptor descriptor_at(const operand_tile& t, int mn0, int k0) {
  const int eight_rows = 8 * span_bytes(t.swizzle);
  int leading = panel_bytes(t);
  int stride = eight_rows;
  if (t.major == major::k && t.swizzle != swizzle_mode::none) leading = 16;
  if (t.major == major::mn && t.swizzle == swizzle_mode::none) {
    leading = eight_rows;
    stride = panel_bytes(t);
  }
  return {.start_bytes = start_of(t, mn0, k0),
          .leading_bytes = static_cast<unsigned>(leading),
          .stride_bytes = static_cast<unsigned>(stride),
          .base_offset = 0,
          .swizzle = t.swizzle};
}

/// Where TMA writes the elements of a tile, with what does not depend on the element worked out once.
struct tile_writer {
  tma_box box;
  sectile::major major;
  int element_bits;
  int panel_width;
  int panel_bytes;
  int box_bytes;

  constexpr explicit tile_writer(const operand_tile& t)
      : box(box_of(t)),
        major(t.major),
        element_bits(t.element_bits),
        panel_width(sectile::panel_width(t)),
        panel_bytes(sectile::panel_bytes(t)),
        box_bytes(bytes(box)) {}

  /// Byte (from the base) of element (mn, k): panel, box of the panel, place in the box.
  constexpr unsigned operator()(int mn, int k) const {
    const int along = major == sectile::major::k ? k : mn;
    const int row = major == sectile::major::k ? mn : k;
    const int rows = box.extent[1];
    const int within_row = along % panel_width * element_bits / box.element_bits;
    return static_cast<unsigned>(along / panel_width * panel_bytes + row / rows * box_bytes +
                                 smem_offset(box, within_row, row % rows));
  }
};

/// Byte (from the base) where TMA writes element (mn, k).
constexpr unsigned written_at(const operand_tile& t, int mn, int k) { return tile_writer(t)(mn, k); }

/// Whether 64 rows are whole swizzle patterns: of elements of 8 bits with M or N contiguous they are half of a span.
constexpr bool has_whole_blocks(const operand_tile& t) { return t.major == major::k || 64 % panel_width(t) == 0; }
/// Bytes from any element to the one 64 rows behind it, as many wherever it is. Precondition: has_whole_blocks().
constexpr unsigned bytes_of_block(const operand_tile& t) { return written_at(t, 64, 0); }

/// The rules of a tile. What `value` and `limit` of a violation mean stands beside each.
enum class tile_rule : std::uint8_t {
  holds,
  element_bits,              ///< value = bits of an element; 1, 8, 16 or 32
  mn_major_needs_16_bit,     ///< value = bits of an element; limit = 16
  extent,                    ///< value = the smaller extent; at least limit = 1
  rows_of_core_matrix,       ///< value = rows of a panel; a multiple of limit = 8
  panel_width,               ///< value = contiguous extent; a multiple of limit, the elements of one span
  instruction_mn,            ///< value = mn of the tile; a multiple of limit, the instruction's
  instruction_k,             ///< value = k of the tile; a multiple of limit, the instruction's
  instruction_granule,       ///< value = extent of the instruction across a core matrix; a multiple of limit, elements
  instruction_exceeds_span,  ///< value = bytes of K of the instruction; they must fit the span, limit bytes, evenly
  instruction_splits_panel,  ///< value = mn of the instruction; a multiple of limit, the panel width, to start with one
  leading_bytes,             ///< value = LBO; below limit = 2^18
  stride_bytes,              ///< value = SBO; below limit = 2^18
  tile_bytes,                ///< value = bytes of the tile; at most limit = 2^18, what a descriptor can address
};

/// The rule that a tile, or an instruction on it, breaks, and the numbers that clash.
struct tile_violation {
  tile_rule rule = tile_rule::holds;
  int value = 0;
  int limit = 0;

  constexpr bool ok() const { return rule == tile_rule::holds; }
  friend constexpr bool operator==(const tile_violation&, const tile_violation&) = default;
};

/// The first rule that the tile itself breaks: whole core matrices, whole panels, bytes in reach.
constexpr tile_violation check(const operand_tile& t) {
  const int bits = t.element_bits;
  if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 32) return {tile_rule::element_bits, bits, 16};
  if (t.major == major::mn && bits != 16) return {tile_rule::mn_major_needs_16_bit, bits, 16};
  if (t.mn < 1 || t.k < 1) return {tile_rule::extent, t.mn < t.k ? t.mn : t.k, 1};
  if (panel_rows(t) % 8 != 0) return {tile_rule::rows_of_core_matrix, panel_rows(t), 8};
  if (contiguous_extent(t) % panel_width(t) != 0) return {tile_rule::panel_width, contiguous_extent(t), panel_width(t)};
  constexpr int reach = static_cast<int>(descriptor_field_end);
  const std::int64_t panel = std::int64_t{panel_rows(t)} * span_bytes(t.swizzle);
  const std::int64_t total = panel > INT32_MAX ? INT32_MAX : panels(t) * panel;
  if (total > reach) return {tile_rule::tile_bytes, total > INT32_MAX ? INT32_MAX : static_cast<int>(total), reach};
  return {};
}

/// The first rule that breaks when instructions of m_instruction x k_instruction elements walk over the tile.
constexpr tile_violation check(const operand_tile& t, int m_instruction, int k_instruction) {
  if (const tile_violation own = check(t); !own.ok()) return own;
  if (m_instruction < 1 || k_instruction < 1) {
    return {tile_rule::extent, m_instruction < k_instruction ? m_instruction : k_instruction, 1};
  }
  if (t.mn % m_instruction != 0) return {tile_rule::instruction_mn, t.mn, m_instruction};
  if (t.k % k_instruction != 0) return {tile_rule::instruction_k, t.k, k_instruction};

  const int chunk = 128 / t.element_bits;
  const int mn_granule = t.major == major::k ? 8 : chunk;
  const int k_granule = t.major == major::k ? chunk : 8;
  if (m_instruction % mn_granule != 0) return {tile_rule::instruction_granule, m_instruction, mn_granule};
  if (k_instruction % k_granule != 0) return {tile_rule::instruction_granule, k_instruction, k_granule};

  const bool swizzled = t.swizzle != swizzle_mode::none;
  const int span = span_bytes(t.swizzle);
  const int k_bytes = k_instruction * t.element_bits / 8;
  if (swizzled && t.major == major::k && span % k_bytes != 0)
    return {tile_rule::instruction_exceeds_span, k_bytes, span};
  if (swizzled && t.major == major::mn && m_instruction != t.mn && m_instruction % panel_width(t) != 0) {
    return {tile_rule::instruction_splits_panel, m_instruction, panel_width(t)};
  }

  const matrix_descriptor d = descriptor_at(t, 0, 0);
  constexpr int end = static_cast<int>(descriptor_field_end);
  if (d.leading_bytes >= descriptor_field_end) {
    return {tile_rule::leading_bytes, static_cast<int>(d.leading_bytes), end};
  }
  if (d.stride_bytes >= descriptor_field_end) return {tile_rule::stride_bytes, static_cast<int>(d.stride_bytes), end};
  return {};
}

}  // namespace sectile
