#pragma once
// Whether the hardware does with a tile in shared memory what a kernel wants of it: that wgmma reads what lies there,
// that TMA writes it there. Each is a finding: static_assert(st::holds<...>).
//
// Tiles are layouts (mn, k) -> offset in elements from an address at which the swizzle's pattern begins.

#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/major.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>
#include <sectile/layouts/tile_checks.hpp>
#include <sectile/layouts/tma_box.hpp>

namespace sectile {

namespace detail {

/// The hardware's swizzle that a tile has; false if it is none of them, or does not begin at 0.
constexpr bool hardware_swizzle(const swizzled_layout& tile, int element_bits, swizzle_mode& to) {
  constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};
  for (const swizzle_mode mode : modes) {
    const bool alike = mode == swizzle_mode::none ? tile.pattern.bits == 0
                                                  : recast(byte_swizzle(mode), 8, element_bits) == tile.pattern;
    if (!alike || tile.offset != 0) continue;
    to = mode;
    return true;
  }
  return false;
}

/// Whether pieces of n elements along a mode lie side by side, from every multiple of n on.
constexpr bool lies_in_pieces(const layout& along, std::int64_t n) {
  const axis first = coalesce(along).leaf[0];
  return first.stride == 1 && first.shape % n == 0;
}

/// An operand of wgmma and the instruction that reads it.
struct operand_reading {
  swizzled_layout tile;
  major direction;
  int bits;
  int mn;
  int k;
  swizzle_mode mode = swizzle_mode::none;

  constexpr std::int64_t bytes(std::int64_t elements) const { return elements * bits / 8; }
  constexpr int chunk() const { return 128 / bits; }
  constexpr int span() const { return span_bytes(mode) * 8 / bits; }

  /// Bytes between two elements of the tile, before the swizzle; of a step that leads out of the instruction
  /// `otherwise`.
  constexpr std::int64_t step(int mn0, int k0, int down, int right, std::int64_t otherwise) const {
    if (down >= mn || right >= k) return otherwise;
    return bytes(tile.inner(mn0 + down, k0 + right) - tile.inner(mn0, k0));
  }

  /// The fields that a descriptor of the instruction at (mn0, k0) has to have, whether they fit or not.
  struct fields {
    std::int64_t start, leading, stride;
  };
  constexpr fields fields_at(int mn0, int k0) const {
    const bool swizzled = mode != swizzle_mode::none;
    const std::int64_t dense = std::int64_t{8} * span_bytes(mode), start = bytes(tile.inner(mn0, k0));
    if (direction == major::k)
      return {start, swizzled ? 16 : step(mn0, k0, 0, chunk(), dense), step(mn0, k0, 8, 0, dense)};
    const std::int64_t along_mn = step(mn0, k0, span(), 0, dense), along_k = step(mn0, k0, 0, 8, dense);
    return swizzled ? fields{start, along_mn, along_k} : fields{start, along_k, along_mn};
  }

  template <class... Why>
  constexpr finding says(int mn0, int k0, const Why&... why) const {
    return found(check_rule::wgmma_cannot_read_it, "wgmma of ", mn, " x ", k, " at (", mn0, ",", k0, ") of ", tile,
                 ": ", why...);
  }

  /// What is wrong with the instruction at (mn0, k0).
  constexpr finding at(int mn0, int k0) const {
    const fields f = fields_at(mn0, k0);
    for (const std::int64_t field : {f.start, f.leading, f.stride}) {
      if (field >= 0 && field % 16 == 0 && field < descriptor_field_end) continue;
      return says(mn0, k0, "a descriptor of it would say ", field, " bytes, not a multiple of 16 below 262144")
          .with(field);
    }
    const matrix_descriptor d{.start_bytes = static_cast<unsigned>(f.start),
                              .leading_bytes = static_cast<unsigned>(f.leading),
                              .stride_bytes = static_cast<unsigned>(f.stride),
                              .swizzle = mode};
    const int down = direction == major::k ? 1 : chunk(), right = direction == major::k ? chunk() : 1;
    for (int j = 0; j < k; j += right) {
      for (int i = 0; i < mn; i += down) {
        const std::int64_t read = read_offset(d, direction, i, j, bits), lies = bytes(tile(mn0 + i, k0 + j));
        if (read == lies) continue;
        return says(mn0, k0, "element (", mn0 + i, ",", k0 + j, ") lies at byte ", lies, " and wgmma reads it at ",
                    read)
            .with(mn0 + i, k0 + j, lies, read);
      }
    }
    return {};
  }
};

}  // namespace detail

/// Whether instructions of mn x k elements read a tile: that for each some descriptor leads to every element. Found on
/// the way that the hardware goes, byte by byte. One descriptor leads to all; how it is made is descriptor_of().
constexpr finding wgmma_reads(const swizzled_layout& tile, major direction, int element_bits, int mn, int k) {
  if (rank(tile) != 2 || (element_bits != 1 && element_bits != 8 && element_bits != 16 && element_bits != 32)) {
    return found(check_rule::wgmma_cannot_read_it, "wgmma reads tiles of two modes of 1, 8, 16 or 32 bits, not ", tile,
                 " of ", element_bits);
  }
  detail::operand_reading reading{tile, direction, element_bits, mn, k};
  const int_tuple extents = product_each(shape(tile));
  if (const finding uneven = divides_evenly(extents, make_shape(mn, k)); !uneven) return uneven;
  if (!detail::hardware_swizzle(tile, element_bits, reading.mode)) {
    return found(check_rule::wgmma_cannot_read_it,
                 "wgmma swizzles bytes by Sw<1,4,3>, Sw<2,4,3> or Sw<3,4,3>, from 0; ", tile, " of ", element_bits,
                 " bits has another swizzle")
        .with(element_bits);
  }
  if (direction == major::mn && element_bits != 16) {
    return found(check_rule::wgmma_cannot_read_it, "wgmma reads MN-major operands of 16 bits alone, not of ",
                 element_bits)
        .with(element_bits);
  }
  if (!detail::lies_in_pieces(mode(tile.inner, direction == major::k ? 1 : 0), reading.chunk())) {
    return found(check_rule::wgmma_cannot_read_it, "in ", tile, " no ", reading.chunk(),
                 " elements (16 bytes) lie side by side along ", direction == major::k ? "K" : "M or N",
                 direction == major::k ? ": it is not K-major" : ": it is not MN-major")
        .with(element_bits);
  }
  for (int mn0 = 0; mn0 < extents.leaf[0]; mn0 += mn) {
    for (int k0 = 0; k0 < extents.leaf[1]; k0 += k) {
      if (const finding wrong = reading.at(mn0, k0); !wrong) return wrong;
    }
  }
  return {};
}

/// Whether TMA with a swizzle writes a tile: rows of one span, one after the other, the same swizzle, and panels of
/// such rows from wherever its pattern begins.
constexpr finding tma_writes(const swizzled_layout& tile, major direction, int element_bits, swizzle_mode mode_of_tma) {
  swizzle_mode own = swizzle_mode::none;
  const swizzle wanted = recast(byte_swizzle(mode_of_tma), 8, element_bits);
  if (!detail::hardware_swizzle(tile, element_bits, own) || own != mode_of_tma) {
    return found(check_rule::swizzles_differ, "TMA writes with ", wanted, " and the tile is ", tile, ": every element ",
                 "that one of them moves is read where it does not lie")
        .with(wanted.bits, tile.pattern.bits);
  }
  const layout &along = mode(tile.inner, direction == major::k ? 1 : 0),
               &across = mode(tile.inner, direction == major::k ? 0 : 1);
  const std::int64_t span = own == swizzle_mode::none ? 0 : span_bytes(own) * 8 / element_bits;
  const std::int64_t run = coalesce(along).leaf[0].stride == 1 ? coalesce(along).leaf[0].shape : 1;
  const std::int64_t width = span == 0 ? run : span;
  const axis rows = coalesce(across).leaf[0];
  const bool in_rows = run * element_bits % 128 == 0 && run % width == 0 && size(along) % width == 0;
  if (!in_rows || (rows.shape > 1 && rows.stride != width)) {
    return found(check_rule::tma_cannot_write_it, "TMA writes rows of ", width, " elements one after the other; in ",
                 tile, " a row has ", run, " side by side and the next one begins at ", rows.stride)
        .with(width, run, rows.stride);
  }
  for (std::int64_t panel = 0; panel < size(along); panel += width) {
    if (along(panel) * element_bits / 8 % pattern_bytes(own) == 0) continue;
    return found(check_rule::tma_cannot_write_it, "panel ", panel / width, " of ", tile, " begins at byte ",
                 along(panel) * element_bits / 8, ", and TMA writes a box to multiples of ", pattern_bytes(own))
        .with(along(panel) * element_bits / 8, pattern_bytes(own));
  }
  return {};
}

}  // namespace sectile
