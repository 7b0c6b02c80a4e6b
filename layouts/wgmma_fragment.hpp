#pragma once
// A fragment of wgmma that is recognised by its layout: which of the layouts of fragment_layout.hpp it is, and from
// then on the closed formulas of fragment.hpp.

#include <cstdint>
#include <optional>

#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/fragment_layout.hpp>

namespace sectile {

enum class fragment_kind : std::uint8_t { accumulator, operand_a };

/// A matrix of 64 rows in the registers of a warpgroup.
struct wgmma_fragment {
  fragment_kind kind = fragment_kind::accumulator;
  int columns = 0;
  int element_bits = 32;

  friend constexpr bool operator==(const wgmma_fragment&, const wgmma_fragment&) = default;
};

/// Elements in one register.
constexpr int parts(const wgmma_fragment& f) { return 32 / f.element_bits; }

/// Where element (row, col) is.
constexpr register_slot slot_at(const wgmma_fragment& f, int row, int col) {
  if (f.kind == fragment_kind::operand_a) return a_slot(f.element_bits, row, col);
  return f.element_bits == 16 ? d16_slot(row, col) : d_slot(row, col);
}

/// Row and column of the offset that a layout of fragments gives an element: row + 64 * column.
constexpr coord position_of_offset(std::int64_t offset) {
  return {static_cast<int>(offset % wgmma_rows), static_cast<int>(offset / wgmma_rows)};
}

/// The fragment whose layout from (thread, value) to row + 64 * column is l, if there is one. Of an accumulator's
/// layout the bits cannot be told: they are element_bits, or 32 if that is not 16. A layout of both is an
/// accumulator's.
inline std::optional<wgmma_fragment> fragment_of(const layout& l, int element_bits) {
  constexpr int widest = 256;
  if (size(l) % (wgmma_rows * 8) == 0 && size(l) <= wgmma_rows * widest) {
    const int columns = static_cast<int>(size(l) / wgmma_rows);
    if (l == d_layout(columns))
      return wgmma_fragment{fragment_kind::accumulator, columns, element_bits == 16 ? 16 : 32};
  }
  for (const int bits : {1, 8, 16, 32}) {
    if (l == a_layout(bits)) return wgmma_fragment{fragment_kind::operand_a, a_columns(bits), bits};
  }
  return {};
}

}  // namespace sectile
