#pragma once
// The eight canonical shared-memory layouts of wgmma operands, {K-major, MN-major} x {no swizzle, 32, 64, 128 bytes},
// as layout values: from the coordinate (mn, k) of an element to its offset in elements, before the swizzle.
// descriptor.hpp says the same in bytes.
//
// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout", "Strides"; the layouts are written as in
// CuTe, whose T is the number of elements in 16 bytes.

#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/major.hpp>
#include <sectile/layouts/modes.hpp>
#include <sectile/layouts/swizzle.hpp>

#include <cstdint>

namespace sectile {

/// The layout of an operand of mn x k elements with leading and stride dimension offsets lbo and sbo (in elements). Its
/// modes are MN and K. Refuses elements that wgmma has no operand of, extents that are not whole core matrices or whole
/// spans, and K-major extents past a span along K when swizzled, because no descriptor reaches there.
constexpr layout canonical_layout(major direction, swizzle_mode mode, int element_bits, int mn, int k, std::int64_t lbo,
                                  std::int64_t sbo) {
  if (element_bits != 1 && element_bits != 8 && element_bits != 16 && element_bits != 32) {
    throw layout_error("canonical layout: wgmma has no operand of ", element_bits,
                       "-bit elements: there are 1, 8, 16 and 32");
  }
  const int row = core_matrix_row_elements(element_bits);  // CuTe's T
  const int chunks = span_bytes(mode) / core_matrix_row_bytes;
  const int span = row * chunks;
  const bool k_major = direction == major::k;
  const bool swizzled = mode != swizzle_mode::none;
  const int across = k_major ? mn : k;
  const int along = k_major ? k : mn;
  const int granule = k_major ? row : span;
  if (across < 8 || across % 8 != 0) {
    throw layout_error("canonical layout: ", k_major ? "MN" : "K", " = ", across,
                       " is not a multiple of the 8 rows of a core matrix");
  }
  if (along < granule || along % granule != 0) {
    throw layout_error("canonical layout: ", k_major ? "K" : "MN", " = ", along, " is not a multiple of ", granule,
                       " elements");
  }
  if (k_major && swizzled && k > span) {
    throw layout_error("canonical layout: K = ", k, " extends past the swizzle span of ", span, " elements");
  }

  if (k_major) {
    return make_layout(make_shape(make_shape(8, mn / 8), make_shape(row, k / row)),
                       make_stride(make_stride(span, sbo), make_stride(1, swizzled ? row : lbo)));
  }
  return make_layout(make_shape(make_shape(row, chunks, mn / span), make_shape(8, k / 8)),
                     make_stride(make_stride(1, row, swizzled ? lbo : sbo), make_stride(span, swizzled ? sbo : lbo)));
}

}  // namespace sectile
