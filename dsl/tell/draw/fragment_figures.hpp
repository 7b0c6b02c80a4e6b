// Pictures of register fragments (which thread of a warpgroup holds which element, in which register), and of what a
// swizzle does.
#pragma once
#include <sectile/dsl/tell/draw/figure.hpp>
#include <sectile/layouts/swizzle.hpp>

namespace sectile::tell {

/// An accumulator of 64 x n with elements of 32 or 16 bits. Only the first columns of a wide one are drawn. Throws
/// layout_error unless n is one of 8, 16, .. 256 and element_bits is 32 or 16.
figure draw_accumulator(int n, int element_bits);

/// Operand A of one instruction in registers, 64 rows of 32 bytes. Throws layout_error unless element_bits is 1, 8, 16
/// or 32. `name`: what the operand is called.
figure draw_register_operand(int element_bits, const std::string& name = "A");

/// The metadata of sparse operand A: which four bits of whose word belong to which group of which row, for the block of
/// 64 rows that is loaded at once. Throws layout_error unless element_bits is 8, 16 or 32.
figure draw_metadata(int element_bits, const std::string& name = "A");

/// Which pieces change places, as a table of rows; and which bits of the offset are XORed into which. Throws
/// layout_error for what is no swizzle, and for one with more than 16 rows or columns to draw.
figure draw_swizzle(const swizzle& s);

}  // namespace sectile::tell
