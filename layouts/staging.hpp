#pragma once
// What a tile in shared memory asks of the machine, found by the algebra. Where its elements lie is one layout, its
// staging: (mn, k) -> offset in elements from an address at which the swizzle's pattern begins. From that follow
//
//   the matrix descriptor of wgmma      by division: an instruction's block, cut into core matrices, has two strides;
//   the TMA boxes that bring the tile   by inversion: the elements in the order of memory, cut where the swizzle is;
//   the rows that ldmatrix addresses    by composition with a layout of lanes.
//
// The staging may be any layout, one of your own as well; a refusal says at which step it has no such form. What a
// kernel is compiled with are the closed forms of operand_tile.hpp, which cost a compiler less; that they say the same
// is tested for tiles of every type, major and swizzle in tests/layouts/staging_test.cpp.
//
// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout", "Strides", "Tensors", "ldmatrix".

#include <sectile/layouts/canonical_layout.hpp>
#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/divide.hpp>
#include <sectile/layouts/inverse.hpp>
#include <sectile/layouts/operand_tile.hpp>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>
#include <sectile/layouts/tma_box.hpp>

namespace sectile {

/// Which of the hardware's swizzles a staging has. Refuses another one, and an offset: the pattern begins elsewhere.
constexpr swizzle_mode swizzle_mode_of(const swizzled_layout& staged, int element_bits) {
  if (staged.offset == 0) {
    if (staged.pattern.bits == 0) return swizzle_mode::none;
    constexpr swizzle_mode modes[] = {swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};
    for (const swizzle_mode mode : modes)
      if (recast(byte_swizzle(mode), 8, element_bits) == staged.pattern) return mode;
  }
  throw layout_error("staging ", staged, ": wgmma and TMA swizzle bytes by Sw<1,4,3>, Sw<2,4,3> or Sw<3,4,3>, from 0");
}

/// The stride from one part to the next where there are several; `otherwise` where there is one.
constexpr std::int64_t stride_between(const layout& parts, const char* what, std::int64_t otherwise) {
  const layout even = coalesce(parts);
  if (size(even) == 1) return otherwise;
  if (even.form.leaves == 1) return even.leaf[0].stride;
  throw layout_error("the ", what, " of an instruction begin at ", parts, ", and a descriptor has one stride for them");
}

/// Refuses what has not the modes MN and K.
constexpr void require_two_modes(const swizzled_layout& staged) {
  if (rank(staged) != 2) throw layout_error("staging ", staged, " has ", rank(staged), " modes; they are MN and K");
}

/// A block of mn x k elements, what one wgmma reads, cut out of a staging at every multiple of its extents:
/// ((MN, K), (blocks along MN, blocks along K)). Refuses blocks that do not cut it evenly.
constexpr layout instruction_blocks(const swizzled_layout& staged, int mn, int k) {
  require_two_modes(staged);
  const tiler block = make_tiler(mn, k);
  if (!evenly_divides(staged.inner, block))
    throw layout_error("staging ", staged, " is not cut evenly into instructions of ", mn, " x ", k);
  return zipped_divide(staged.inner, block);
}

/// The descriptor of the instruction of mn x k elements that begins at element (mn0, k0), its start relative to the
/// staging's. Division by the core matrix, 8 rows of 16 bytes (of a swizzle span across MN-major rows), leaves the
/// strides from one to the next; they are LBO and SBO. A stride that nothing takes is that of the dense tile.
///
/// Refuses a staging that is none of the eight canonical layouts at these strides, and what no wgmma reads.
constexpr matrix_descriptor descriptor_of(const swizzled_layout& staged, major direction, int element_bits, int mn,
                                          int k, int mn0 = 0, int k0 = 0) {
  const swizzle_mode mode_of_bytes = swizzle_mode_of(staged, element_bits);
  const bool k_major = direction == major::k, swizzled = mode_of_bytes != swizzle_mode::none;
  const int chunk = core_matrix_row_elements(element_bits), span = span_bytes(mode_of_bytes) * 8 / element_bits;

  if (!k_major && element_bits != 16)
    throw layout_error("wgmma reads MN-major operands of 16-bit elements, not of ", element_bits, " bits");
  const layout blocks = instruction_blocks(staged, mn, k);
  const layout block = mode(blocks, 0);
  if (mn0 < 0 || k0 < 0 || mn0 % mn != 0 || k0 % k != 0)
    throw layout_error("no instruction of ", mn, " x ", k, " begins at (", mn0, ",", k0, ")");
  const layout core_matrices = zipped_divide(block, k_major ? make_tiler(8, chunk) : make_tiler(span, 8));
  const layout next = mode(core_matrices, 1);
  const std::int64_t dense = std::int64_t{8} * span;
  const std::int64_t along_mn = stride_between(mode(next, 0), "core matrices along MN", dense);
  const std::int64_t along_k = stride_between(mode(next, 1), "core matrices along K", k_major ? chunk : dense);

  const bool leads_along_k = k_major || !swizzled;
  const std::int64_t leading = leads_along_k ? along_k : along_mn, stride = leads_along_k ? along_mn : along_k;
  const layout canonical = canonical_layout(direction, mode_of_bytes, element_bits, mn, k, leading, stride);
  if (coalesce(block, make_shape(1, 1)) != coalesce(canonical, make_shape(1, 1)))
    throw layout_error("no descriptor reads ", block, ": with its strides wgmma reads ", canonical);

  const auto bytes = [element_bits](std::int64_t elements) {
    return static_cast<unsigned>(elements * element_bits / 8);
  };
  const matrix_descriptor d{.start_bytes = bytes(mode(blocks, 1)(mn0 / mn, k0 / k)),
                            .leading_bytes = bytes(leading),
                            .stride_bytes = bytes(stride),
                            .base_offset = 0,
                            .swizzle = mode_of_bytes};
  if (const descriptor_violation broken = check(d); !broken.ok()) throw layout_error("descriptor ", d, ": ", broken);
  return d;
}

/// The TMA boxes of a staging: all are alike, and (box along MN, box along K) -> offset in elements where one begins.
struct staged_boxes {
  tma_box box;
  layout starts;
};

/// The elements in the order of memory, cut into spans of the contiguous direction and their rows, and the rows into
/// boxes of at most 256. (One-bit elements travel as bytes.) Refuses a staging whose memory is not made of such boxes.
constexpr staged_boxes boxes_of(const swizzled_layout& staged, major direction, int element_bits) {
  if (element_bits < 8) return boxes_of(recast(staged, element_bits, 8), direction, 8);
  require_two_modes(staged);
  const swizzle_mode mode_of_bytes = swizzle_mode_of(staged, element_bits);
  const std::int64_t span = span_bytes(mode_of_bytes) * 8 / element_bits;
  const bool k_major = direction == major::k;
  const std::int64_t mn = size(mode(staged.inner, 0));
  const layout in_memory = right_inverse(staged.inner);  // offset -> mn + k * MN
  if (size(in_memory) != size(staged) || size(in_memory) % span != 0)
    throw layout_error("staging ", staged, ": its elements do not lie side by side, in rows of ", span);
  const layout rows_of_spans = logical_divide(in_memory, layout_left(make_shape(span)));
  const layout row = coalesce(mode(rows_of_spans, 0)), rows = coalesce(mode(rows_of_spans, 1));
  const axis across = rows.leaf[0];
  if (row.form.leaves != 1 || row.leaf[0].stride != (k_major ? mn : 1) ||
      (across.shape > 1 && across.stride != (k_major ? 1 : mn)))
    throw layout_error("staging ", staged, ": TMA brings rows of ", span, " elements along ", k_major ? "K" : "MN",
                       ", one after the other; in memory the elements are ", in_memory);
  if (across.shape > tma_max_box_extent && across.shape % 8 != 0)
    throw layout_error(across.shape, " rows take several TMA boxes, which are multiples of 8 rows");
  const int height_of_all = static_cast<int>(across.shape), width = static_cast<int>(span);
  const int height = height_of_all / boxes_per_panel({.mn = height_of_all, .major = major::k});
  return {{.rank = 2, .extent = {width, height}, .element_bits = element_bits, .swizzle = mode_of_bytes},
          mode(zipped_divide(staged.inner, k_major ? make_tiler(height, width) : make_tiler(width, height)), 1)};
}

/// Which rows of a factor in shared memory the 32 lanes of ldmatrix.x4 address (.trans if it is MN-major): lane ->
/// mn + k * MN of the row's first element. One warp's block: 16 of MN, 32 bytes of K (.trans: 16 of K).
constexpr layout ldmatrix_lanes(major direction, int element_bits, std::int64_t mn) {
  const std::int64_t chunk = core_matrix_row_elements(element_bits);
  return direction == major::k ? make_layout(make_shape(16, 2), make_stride(1, chunk * mn))
                               : make_layout(make_shape(8, 2, 2), make_stride(mn, 8, 8 * mn));
}
/// lane -> offset in elements where its row of the first such block begins: staging o lanes.
constexpr swizzled_layout ldmatrix_rows(const swizzled_layout& staged, major direction, int element_bits) {
  require_two_modes(staged);
  return composition(staged, ldmatrix_lanes(direction, element_bits, size(mode(staged.inner, 0))));
}

}  // namespace sectile
