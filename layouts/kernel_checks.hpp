#pragma once
// Checks for a kernel that is written by hand, or with another library: that its tiles are cut evenly, that wgmma reads
// what lies in shared memory, that TMA writes it there, that it all fits. Each is a finding:
// static_assert(st::holds<...>).
//
// Tiles are layouts (mn, k) -> offset in elements from an address at which the swizzle's pattern begins.

#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/finding.hpp>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>
#include <sectile/layouts/tma_box.hpp>

namespace sectile {

/// Bytes of shared memory that a CTA may have on Hopper.
inline constexpr std::int64_t shared_memory_of_cta = tma_max_box_bytes;

/// Whether `part` (an atom, an instruction, the tile of an MMA) fills `tile` without a remainder, mode by mode. Parts
/// that stick out are computed and copied all the same, over what lies behind the tile.
constexpr finding divides_evenly(const int_tuple& tile, const int_tuple& part) {
  const int_tuple tile_extents = product_each(tile), part_extents = product_each(part);
  if (rank(tile_extents) != rank(part_extents))
    return found(check_rule::tile_is_not_a_multiple, "a tile of ", tile, " has ", rank(tile), " modes and ", part,
                 " has ", rank(part));
  std::int64_t covered = 1;
  int wrong = -1;
  for (int k = 0; k < tile_extents.form.leaves; ++k) {
    covered *= ceil_div(tile_extents.leaf[k], part_extents.leaf[k]) * part_extents.leaf[k];
    if (wrong < 0 && tile_extents.leaf[k] % part_extents.leaf[k] != 0) wrong = k;
  }
  if (wrong < 0) return {};
  const std::int64_t extent = tile_extents.leaf[wrong], of_part = part_extents.leaf[wrong];
  return found(check_rule::tile_is_not_a_multiple, "mode ", wrong, " of a tile of ", tile, " is ", extent,
               ", not a multiple of the ", of_part, " of ", part, ": what covers it has ", covered,
               " places and it has ", product(tile), "; ", extent / of_part * of_part, " or ",
               ceil_div(extent, of_part) * of_part, " fit")
      .with(wrong)
      .with(extent)
      .with(of_part);
}

/// Whether two operands, (m, k) and (n, k), are summed over equally many elements.
template <class A, class B>
constexpr finding sums_agree(const A& a, const B& b) {
  const std::int64_t k_of_a = product(mode(shape(a), 1)), k_of_b = product(mode(shape(b), 1));
  if (k_of_a == k_of_b) return {};
  return found(check_rule::sums_differ_in_length, "A is ", shape(a), " and B ", shape(b), ": K is ", k_of_a, " and ",
               k_of_b)
      .with(k_of_a)
      .with(k_of_b);
}

/// Whether so many bytes are what an mbarrier expects: those of the boxes that arrive on it.
constexpr finding bytes_arrive(std::int64_t expected, std::int64_t copied) {
  if (expected == copied) return {};
  return found(check_rule::bytes_differ, "the barrier expects ", expected, " bytes and ", copied, " are copied: it ",
               expected > copied ? "never completes" : "completes too early")
      .with(expected)
      .with(copied);
}

/// Whether so many bytes are shared memory that a CTA can have.
constexpr finding fits_shared_memory(std::int64_t bytes) {
  if (bytes <= shared_memory_of_cta) return {};
  return found(check_rule::shared_memory_is_too_small, bytes, " bytes of shared memory are wanted, a CTA has ",
               shared_memory_of_cta)
      .with(bytes)
      .with(shared_memory_of_cta);
}

/// Whether a tile may begin at an address that is a multiple of so many bytes: a swizzle's pattern begins at multiples
/// of its own length, and descriptors with a base offset of 0 say that the tile begins with it.
constexpr finding aligned_for(const swizzled_layout& tile, int element_bits, std::int64_t alignment) {
  const std::int64_t period =
      tile.pattern.bits == 0 ? 16 : tile.pattern.period() * element_bits / 8;  // a descriptor counts in 16 bytes
  if (alignment % period == 0) return {};
  return found(check_rule::wgmma_cannot_read_it, "the tile ", tile, " is aligned to ", alignment,
               " bytes and its swizzle repeats after ", period, ": align it to that")
      .with(alignment)
      .with(period);
}

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
            .with(mn0 + i)
            .with(k0 + j)
            .with(lies)
            .with(read);
      }
    }
    return {};
  }
};

}  // namespace detail

/// Whether instructions of mn x k elements read a tile: that for each some descriptor leads to every element. Found on
/// the way that the hardware goes, byte by byte. One descriptor leads to all; how it is made is descriptor_of().
constexpr finding wgmma_reads(const swizzled_layout& tile, major direction, int element_bits, int mn, int k) {
  if (rank(tile) != 2 || (element_bits != 8 && element_bits != 16 && element_bits != 32)) {
    return found(check_rule::wgmma_cannot_read_it, "wgmma reads tiles of two modes of 8, 16 or 32 bits, not ", tile,
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
        .with(wanted.bits)
        .with(tile.pattern.bits);
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
        .with(width)
        .with(run)
        .with(rows.stride);
  }
  for (std::int64_t panel = 0; panel < size(along); panel += width) {
    if (along(panel) * element_bits / 8 % pattern_bytes(own) == 0) continue;
    return found(check_rule::tma_cannot_write_it, "panel ", panel / width, " of ", tile, " begins at byte ",
                 along(panel) * element_bits / 8, ", and TMA writes a box to multiples of ", pattern_bytes(own))
        .with(along(panel) * element_bits / 8)
        .with(pattern_bytes(own));
  }
  return {};
}

/// Whether an access is free of bank conflicts: address_of(lane) in bytes, `width` bytes each. Refuses what
/// worst_conflict() refuses.
template <class AddressOf>
constexpr finding free_of_conflicts(AddressOf address_of, int width, int lanes = warp_lanes) {
  const bank_conflict worst = worst_conflict(address_of, width, lanes);
  if (worst.degree == 1) return {};
  return found(check_rule::banks_conflict, worst.degree, " words meet in bank ", worst.bank, ", in pass ", worst.pass,
               " of an access of ", width, " bytes by ", lanes, " lanes")
      .with(worst.degree)
      .with(worst.bank)
      .with(worst.pass);
}

}  // namespace sectile
