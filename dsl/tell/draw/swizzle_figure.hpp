// A picture of what a swizzle does.
#pragma once
#include <sectile/dsl/tell/draw/figure.hpp>
#include <sectile/layouts/swizzle.hpp>

namespace sectile::tell {

/// Which pieces change places, as a table of rows; and which bits of the offset are XORed into which. Throws
/// layout_error for what is no swizzle, and for one with more than 16 rows or columns to draw.
figure draw_swizzle(const swizzle& s);

}  // namespace sectile::tell
