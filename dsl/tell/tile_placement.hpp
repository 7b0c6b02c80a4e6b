// The banks that the core matrices of an operand's tile take, with the tile's swizzle and without it.
#pragma once
#include <algorithm>

#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile::tell {

/// The first element of 16 bytes of a tile.
struct tile_unit {
  int mn = 0, k = 0;
};

/// One way to put a tile into shared memory.
struct tile_placement {
  const operand_tile& t;
  bool as_written = true;  // by TMA; otherwise without the swizzle, and a tile that has none in rows of its width

  /// Byte of row `row` of the core matrix whose first element is `corner`.
  unsigned byte_of(tile_unit corner, int row) const {
    const bool k_major = t.major == major::k;
    const tile_unit u = k_major ? tile_unit{corner.mn + row, corner.k} : tile_unit{corner.mn, corner.k + row};
    const unsigned written = written_at(t, u.mn, u.k);
    if (as_written) return written;
    if (t.swizzle != swizzle_mode::none) return static_cast<unsigned>(byte_swizzle(t.swizzle)(written));
    const int across = k_major ? u.mn : u.k, along = k_major ? u.k : u.mn;
    return static_cast<unsigned>((across * contiguous_extent(t) + along) * t.element_bits / 8);
  }

  /// How many rows of that core matrix meet in one bank; 1 means none do.
  int conflicts(tile_unit corner) const {
    return matrix_conflict_degree([&](int row) { return byte_of(corner, row); }, 1);
  }

  /// The same over all core matrices of the tile.
  int worst() const {
    const int unit = core_matrix_row_elements(t.element_bits);
    int most = 1;
    for (int across = 0; across < panel_rows(t); across += core_matrix_rows)
      for (int along = 0; along < contiguous_extent(t); along += unit)
        most = std::max(most, conflicts(t.major == major::k ? tile_unit{across, along} : tile_unit{along, across}));
    return most;
  }
};

}  // namespace sectile::tell
