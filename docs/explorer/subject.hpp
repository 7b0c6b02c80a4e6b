// What the explorer looks at: a layout, and what it is known to be besides, an operand tile in shared memory or a
// fragment in registers. Every question is put to the functions of layouts/.
#pragma once

#include <cstdint>
#include <optional>

#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/expression.hpp>
#include <sectile/layouts/offset_finder.hpp>
#include <sectile/layouts/tile_places.hpp>
#include <sectile/layouts/wgmma_fragment.hpp>

namespace sectile::explorer {

/// Beyond this the numbers of a layout are no numbers of JavaScript any more, and nobody could look at it.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 40;

/// A row of the picture of shared memory: once across all banks.
inline constexpr int line_bytes = shared_banks * bank_bytes;

/// One thing to look at.
struct subject {
  swizzled_layout of;
  int bits = 16;
  std::optional<expressions::typed_tile> tile;
  std::optional<wgmma_fragment> registers;
  std::int64_t rows = 1, columns = 1;
  offset_bounds offsets;
  offset_finder finder;

  std::int64_t offset(std::int64_t index) const { return of(index); }
  /// Row and column of an element of a tile.
  coord place(std::int64_t index) const { return {static_cast<int>(index % rows), static_cast<int>(index / rows)}; }
  int_tuple coordinate(std::int64_t index) const { return idx2crd(index, shape(of)); }

  /// The byte in which an element begins; rounded down below 0 too.
  std::int64_t byte(std::int64_t index) const {
    const std::int64_t first_bit = offset(index) * bits;
    return first_bit >= 0 ? first_bit / 8 : -((7 - first_bit) / 8);
  }
};

/// The subject of a value. Refuses what is no layout, and what nobody could look at.
inline subject subject_of(const expressions::value& value, int bits) {
  subject s;
  if (!expressions::as_swizzled(value, s.of)) {
    throw layout_error("this is ", expressions::kind_name(value), ", not a layout: there is nothing to draw");
  }
  if (size(s.of) > most_elements || cosize(s.of.inner) > most_elements || s.of.offset > most_elements) {
    throw layout_error("this layout has more than 2^40 elements or offsets: it is not drawn");
  }
  s.bits = bits;
  if (const auto* t = std::get_if<expressions::typed_tile>(&value)) {
    s.tile = *t;
    s.bits = t->element_bits;
  } else if (!expressions::is_swizzled(value)) {
    s.registers = fragment_of(s.of.inner, bits);
    if (s.registers) s.bits = s.registers->element_bits;
  }
  if (rank(s.of) >= 2) s.rows = size(mode(s.of.inner, 0));
  s.columns = size(s.of) / s.rows;
  s.offsets = bounds_of_offsets(s.of);
  s.finder = offset_finder(s.of);
  return s;
}

}  // namespace sectile::explorer
