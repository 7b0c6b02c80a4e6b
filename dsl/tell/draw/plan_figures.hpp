// Pictures of a whole plan.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/tell/draw/figure.hpp>

namespace sectile::tell {

/// Shared memory to scale: the stages of each ring, the epilogue's panels, barriers, and what is free.
figure draw_memory_map(const plan& p);

/// The banks that the epilogue's stores take, beside those that they would take without the panel's swizzle.
figure draw_epilogue_banks(const plan& p);

/// The same for panels of a swizzle and an element width of 16 or 32 bits of output `name`. Throws layout_error for
/// another width.
figure draw_store_banks(swizzle_mode mode, int element_bits, const std::string& name = "C");

/// Operand `operand` in global memory: the matrix, its modes and strides, the tile in it, and what lies past the edge.
figure draw_global(const plan& p, int operand);

/// The problem in clusters' tiles, CTA tiles, consumers' parts, instructions and core matrices.
figure draw_hierarchy(const plan& p);

}  // namespace sectile::tell
