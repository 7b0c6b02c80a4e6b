// A tile that is several boxes, for variants of rung 7 (rung_variants.cmake): its own tiles are a box each.
#pragma once
#include <sectile/layouts/reachable.hpp>

namespace sectile::bench {

/// Asks for the tile whose first element is in row mn and column k of the matrix.
template <class Machine>
constexpr void load_boxes(Machine& hw, const operand_tile& tile, std::uint32_t to,
                          const typename Machine::tensor_map& map, std::uint32_t full, int k, int mn) {
  for (int i = 0; i < boxes(tile); ++i) {
    const box_place at = place_of_box(tile, i);
    hw.tma_load(to + static_cast<std::uint32_t>(at.offset_bytes), map, full, {k + at.k, mn + at.mn});
  }
}

}  // namespace sectile::bench
