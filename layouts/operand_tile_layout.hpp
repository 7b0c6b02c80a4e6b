#pragma once
// An operand tile of wgmma as a layout value: where each element lies in shared memory, swizzle included.

#include <sectile/layouts/modes.hpp>
#include <sectile/layouts/operand_tile.hpp>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/swizzled.hpp>

namespace sectile {

/// (mn, k) -> offset in elements from the tile's first byte. A tile is a row of panels, each one swizzle span wide, so
/// the contiguous direction is a mode of two: inside a panel, and from panel to panel. Refuses what check(t) refuses.
constexpr swizzled_layout tile_layout(const operand_tile& t) {
  if (const tile_violation broken = check(t); !broken.ok()) {
    throw layout_error("tile of ", t.mn, " x ", t.k, ": ", broken);
  }
  const int width = panel_width(t);
  const int rows = panel_rows(t);
  const int_tuple along = make_shape(width, panels(t));
  const int_tuple along_strides = make_stride(1, rows * width);
  const layout l = t.major == major::k ? make_layout(make_shape(rows, along), make_stride(width, along_strides))
                                       : make_layout(make_shape(along, rows), make_stride(along_strides, width));
  return with_swizzle(l, recast(byte_swizzle(t.swizzle), 8, t.element_bits));
}

}  // namespace sectile
