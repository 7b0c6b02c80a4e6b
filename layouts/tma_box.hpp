#pragma once
// Where a TMA tensor copy puts a box of elements in shared memory, and which boxes, tensors and destinations it
// accepts. The box is written densely, innermost dimension fastest, with the extents of the box (not of the tensor);
// then the 16-byte chunks are swizzled by their address.
//
// Source: PTX ISA, "Tensors" (tile mode, swizzling modes); CUDA driver API, cuTensorMapEncodeTiled.

#include <cstdint>
#include <sectile/layouts/swizzle.hpp>

namespace sectile {

/// A box of a tensor of rank 1 to 5. extent: elements, innermost first; entries from `rank` on do not count.
struct tma_box {
  int rank = 0;
  int extent[5] = {};
  int element_bits = 0;
  swizzle_mode swizzle = swizzle_mode::none;

  friend constexpr bool operator==(const tma_box&, const tma_box&) = default;
};

constexpr int tma_max_box_extent = 256;

/// Bytes of shared memory that a block can have, so that no larger box has a place.
constexpr int tma_max_box_bytes = 227 * 1024;

/// Bytes of the innermost row of the box: the distance of its rows in shared memory.
constexpr int row_bytes(const tma_box& box) { return box.extent[0] * box.element_bits / 8; }

/// Bytes that the copy writes, which is what an mbarrier has to expect. Out-of-range elements count: they are filled.
/// Precondition: check(box).ok().
constexpr int bytes(const tma_box& box) {
  int total = row_bytes(box);
  for (int d = 1; d < box.rank; ++d) total *= box.extent[d];
  return total;
}

/// Alignment (bytes) of a destination at which smem_offset() holds: the swizzle takes absolute address bits, so the box
/// must start where the pattern does.
constexpr int destination_alignment(swizzle_mode mode) { return pattern_bytes(mode); }

/// Byte of an element in its box, as if there were no swizzle: that goes by the bits of the address where it comes to
/// lie. Parameters as of smem_offset().
template <class... Coord>
requires(sizeof...(Coord) >= 1 && sizeof...(Coord) <= 5) constexpr int linear_offset(const tma_box& box,
                                                                                     Coord... coord) {
  int linear = 0;
  int stride = 1;
  int d = 0;
  ((linear += static_cast<int>(coord) * stride, stride *= box.extent[d++]), ...);
  return linear * box.element_bits / 8;
}

/// Byte, counted from an aligned destination, of the element at `coord...` (innermost first, relative to the box; one
/// for each dimension). Precondition: 0 <= coord[d] < box.extent[d].
template <class... Coord>
requires(sizeof...(Coord) >= 1 && sizeof...(Coord) <= 5) constexpr int smem_offset(const tma_box& box, Coord... coord) {
  return static_cast<int>(byte_swizzle(box.swizzle)(linear_offset(box, coord...)));
}

/// The same from an array; entries from box.rank on do not count.
constexpr int smem_offset(const tma_box& box, const int (&coord)[5]) {
  int linear = 0;
  for (int d = box.rank - 1; d >= 0; --d) linear = linear * box.extent[d] + coord[d];
  return static_cast<int>(byte_swizzle(box.swizzle)(linear * box.element_bits / 8));
}

/// The rules of a tensor copy. What `value` and `limit` of a violation mean stands beside each.
enum class box_rule : std::uint8_t {
  holds,
  rank,                ///< value = rank; 1 <= rank <= limit
  element_bits,        ///< value = bits of an element; limit = 8: the element is a whole number of bytes, 1, 2, 4 or 8
  extent,              ///< value = box extent of `dimension`; 1 <= extent <= limit (below 256: what fits shared memory)
  row_granule,         ///< value = bytes of the innermost row; a multiple of limit
  row_exceeds_span,    ///< value = bytes of the innermost row; at most limit, the span of the swizzle
  destination,         ///< value = shared address; a multiple of limit
  global_base,         ///< value = global address; a multiple of limit
  global_stride,       ///< value = stride of `dimension` in bytes; a multiple of limit
  global_stride_size,  ///< value = stride of `dimension` in bytes; 0 <= stride < limit
  global_extent,       ///< value = extent of `dimension` of the tensor; 1 <= extent <= limit
};

/// The rule that a box, destination or tensor breaks, the dimension, and the numbers that clash.
struct box_violation {
  box_rule rule = box_rule::holds;
  int dimension = 0;
  std::int64_t value = 0;
  std::int64_t limit = 0;

  constexpr bool ok() const { return rule == box_rule::holds; }
  friend constexpr bool operator==(const box_violation&, const box_violation&) = default;
};

/// The first rule that the box itself breaks.
constexpr box_violation check(const tma_box& box) {
  if (box.rank < 1 || box.rank > 5) return {box_rule::rank, 0, box.rank, 5};
  const int bits = box.element_bits;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return {box_rule::element_bits, 0, bits, 8};
  for (int d = 0; d < box.rank; ++d) {
    const int extent = box.extent[d];
    if (extent < 1 || extent > tma_max_box_extent) return {box_rule::extent, d, extent, tma_max_box_extent};
  }
  const int row = row_bytes(box);
  if (row % 16 != 0) return {box_rule::row_granule, 0, row, 16};
  const int span = span_bytes(box.swizzle);
  if (box.swizzle != swizzle_mode::none && row > span) return {box_rule::row_exceeds_span, 0, row, span};
  int total = row;
  for (int d = 1; d < box.rank; ++d) {
    const int most = tma_max_box_bytes / total;
    if (box.extent[d] > most) return {box_rule::extent, d, box.extent[d], most};
    total *= box.extent[d];
  }
  return {};
}

}  // namespace sectile
