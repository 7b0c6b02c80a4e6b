#pragma once
// Whether wgmma reads of an operand tile what TMA has written of it: the two models of a tile, element by element.
// (A kernel's plan is proven in the same way, by what its roles ask for: dsl/proofs/reachability.hpp.)

#include <sectile/layouts/operand_tile.hpp>

namespace sectile {

/// What one box brings: where its first element lies in the tile (elements) and in shared memory (bytes from the base).
struct box_place {
  int mn = 0;
  int k = 0;
  int offset_bytes = 0;

  friend constexpr bool operator==(const box_place&, const box_place&) = default;
};

/// Box number `index` of the tile, 0 <= index < boxes(t). All boxes are alike (box_of) and cover the tile in order.
constexpr box_place place_of_box(const operand_tile& t, int index) {
  const int per_panel = boxes_per_panel(t);
  const int across = index / per_panel * panel_width(t);
  const int row = index % per_panel * (panel_rows(t) / per_panel);
  const int offset = index * (panel_bytes(t) / per_panel);
  return t.major == major::k ? box_place{row, across, offset} : box_place{across, row, offset};
}

/// Byte (from the base) that wgmma reads for element (mn, k) when instructions cover m_instruction x k_instruction:
/// from the 64 bits of the descriptor of the instruction that the element belongs to.
constexpr unsigned read_at(const operand_tile& t, int mn, int k, int m_instruction, int k_instruction) {
  const int mn_in = mn % m_instruction;
  const int k_in = k % k_instruction;
  const std::uint64_t bits = encode(descriptor_at(t, mn - mn_in, k - k_in));
  return read_offset(decode(bits), t.major, mn_in, k_in, t.element_bits);
}

/// The same for one instruction that covers all of MN.
constexpr unsigned read_at(const operand_tile& t, int mn, int k, int k_instruction) {
  return read_at(t, mn, k, t.mn, k_instruction);
}

/// Result of a proof: ok, or the first element whose written and read bytes differ.
struct reach_result {
  bool ok = true;
  int mn = 0;
  int k = 0;
  unsigned written = 0;
  unsigned read = 0;

  friend constexpr bool operator==(const reach_result&, const reach_result&) = default;
};

/// Whether every byte that wgmma reads through `descriptor_of(mn0, k0)`, instruction by instruction over the whole
/// tile, is the byte where TMA put that element. The descriptor passes through its 64 bits on the way. Only some
/// elements are looked at; the others follow:
///
/// - The first element of a 16-byte chunk of the contiguous direction stands for the chunk. On both sides its elements
/// have
///   consecutive offsets in one aligned 16-byte granule before the XOR (panel widths, box rows, start, LBO and SBO are
///   multiples of 16 bytes), and the XOR changes only address bits 4 and up, by bits 7 and up: bytes of a granule never
///   part or change places.
/// - Across the contiguous direction, all rows of the first group of eight and the first row of every later group stand
///   for all rows. Before the XOR both sides are (chunk's offset) + (group's offset) + (row in the group) * span, and
///   the XOR is one and the same bijection, so agreement at the first row of a group means that the two sides give the
///   group the same offset; agreement in the first group says the rest. If the descriptor names another swizzle than
///   the tile, this argument fails and every row is looked at.
///
/// Precondition: check(t, m_instruction, k_instruction).ok().
template <class DescriptorOf>
constexpr reach_result reachable_through(const operand_tile& t, int m_instruction, int k_instruction,
                                         DescriptorOf descriptor_of) {
  const tile_writer written_at_element(t);
  const bool k_major = t.major == major::k;
  const int chunk = 128 / t.element_bits;
  const int along_end = k_major ? k_instruction : m_instruction;
  const int row_end = k_major ? m_instruction : k_instruction;
  for (int mn0 = 0; mn0 < t.mn; mn0 += m_instruction) {
    for (int k0 = 0; k0 < t.k; k0 += k_instruction) {
      const matrix_descriptor d = decode(encode(descriptor_of(mn0, k0)));
      const int later_step = d.swizzle == t.swizzle ? 8 : 1;
      for (int along = 0; along < along_end; along += chunk) {
        for (int row = 0; row < row_end; row += row < 8 ? 1 : later_step) {
          const int mn = k_major ? row : along;
          const int k = k_major ? along : row;
          const unsigned written = written_at_element(mn0 + mn, k0 + k);
          const unsigned read = read_offset(d, t.major, mn, k, t.element_bits);
          if (written != read) return {false, mn0 + mn, k0 + k, written, read};
        }
      }
    }
  }
  return {};
}

/// The proof for the descriptors that descriptor_at makes. Precondition as above.
constexpr reach_result reachable(const operand_tile& t, int m_instruction, int k_instruction) {
  return reachable_through(t, m_instruction, k_instruction,
                           [&t](int mn0, int k0) { return descriptor_at(t, mn0, k0); });
}

}  // namespace sectile
