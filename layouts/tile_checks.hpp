#pragma once
// Checks for a kernel that is written by hand, or with another library: that its tiles are cut evenly, that operands
// and bytes agree, that it all fits, that accesses are free of conflicts. Each is a finding:
// static_assert(st::holds<...>).

#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/finding.hpp>
#include <sectile/layouts/product.hpp>
#include <sectile/layouts/swizzled.hpp>
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
      .with(wrong, extent, of_part);
}

/// Whether two operands, (m, k) and (n, k), are summed over equally many elements.
template <class A, class B>
constexpr finding sums_agree(const A& a, const B& b) {
  const std::int64_t k_of_a = product(mode(shape(a), 1)), k_of_b = product(mode(shape(b), 1));
  if (k_of_a == k_of_b) return {};
  return found(check_rule::sums_differ_in_length, "A is ", shape(a), " and B ", shape(b), ": K is ", k_of_a, " and ",
               k_of_b)
      .with(k_of_a, k_of_b);
}

/// Whether so many bytes are what an mbarrier expects: those of the boxes that arrive on it.
constexpr finding bytes_arrive(std::int64_t expected, std::int64_t copied) {
  if (expected == copied) return {};
  return found(check_rule::bytes_differ, "the barrier expects ", expected, " bytes and ", copied, " are copied: it ",
               expected > copied ? "never completes" : "completes too early")
      .with(expected, copied);
}

/// Whether so many bytes are shared memory that a CTA can have.
constexpr finding fits_shared_memory(std::int64_t bytes) {
  if (bytes <= shared_memory_of_cta) return {};
  return found(check_rule::shared_memory_is_too_small, bytes, " bytes of shared memory are wanted, a CTA has ",
               shared_memory_of_cta)
      .with(bytes, shared_memory_of_cta);
}

/// Whether a tile may begin at an address that is a multiple of so many bytes: a swizzle's pattern begins at multiples
/// of its own length, and descriptors with a base offset of 0 say that the tile begins with it.
constexpr finding aligned_for(const swizzled_layout& tile, int element_bits, std::int64_t alignment) {
  const std::int64_t period =
      tile.pattern.bits == 0 ? 16 : tile.pattern.period() * element_bits / 8;  // a descriptor counts in 16 bytes
  if (alignment % period == 0) return {};
  return found(check_rule::wgmma_cannot_read_it, "the tile ", tile, " is aligned to ", alignment,
               " bytes and its swizzle repeats after ", period, ": align it to that")
      .with(alignment, period);
}

/// Whether an access is free of bank conflicts: address_of(lane) in bytes, `width` bytes each. Refuses what
/// worst_conflict() refuses.
template <class AddressOf>
constexpr finding free_of_conflicts(AddressOf address_of, int width, int lanes = warp_lanes) {
  const bank_conflict worst = worst_conflict(address_of, width, lanes);
  if (worst.degree == 1) return {};
  return found(check_rule::banks_conflict, worst.degree, " words meet in bank ", worst.bank, ", in pass ", worst.pass,
               " of an access of ", width, " bytes by ", lanes, " lanes")
      .with(worst.degree, worst.bank, worst.pass);
}

}  // namespace sectile
