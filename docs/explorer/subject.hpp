// What the explorer looks at: a layout, and what it is known to be besides, an operand tile in shared memory or a
// fragment in registers. Every question is put to the functions of layouts/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/expression.hpp>

namespace sectile::explorer {

/// Beyond this the numbers of a layout are no numbers of JavaScript any more, and nobody could look at it.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 40;

/// A row of the picture of shared memory: once across all banks.
inline constexpr int line_bytes = shared_banks * bank_bytes;

/// A fragment of wgmma: which elements of a 64-row matrix the threads of a warpgroup hold, in which registers.
struct fragment {
  bool accumulator = true;
  int columns = 0;
  int bits = 32;

  /// Where element (row, column) is.
  register_slot slot(int row, int column) const {
    if (!accumulator) return a_slot(bits, row, column);
    return bits == 16 ? d16_slot(row, column) : d_slot(row, column);
  }
  int parts() const { return accumulator ? (bits == 16 ? 2 : 1) : a_parts(bits); }
};

/// Which layout has which offsets: element of an offset.
class offset_finder {
 public:
  static constexpr std::int64_t most_listed = 1 << 16;

  offset_finder() = default;

  explicit offset_finder(const swizzled_layout& l) : of_(l) {
    try {
      inverse_ = left_inverse(l.inner);
      return;
    } catch (const layout_error&) {  // modes that overlap or interleave: the elements are listed
    }
    if (size(l) > most_listed) return;
    for (std::int64_t i = 0; i < size(l); ++i) listed_.emplace_back(l(i), i);
    std::sort(listed_.begin(), listed_.end());
  }

  /// Whether elements can be found at all.
  bool works() const { return inverse_.has_value() || !listed_.empty(); }

  /// The first element that lies at the offset, -1 if none does.
  std::int64_t find(std::int64_t offset) const {
    if (!inverse_) {
      const auto found = std::lower_bound(listed_.begin(), listed_.end(), std::pair{offset, std::int64_t{0}});
      return found != listed_.end() && found->first == offset ? found->second : -1;
    }
    const bool swizzled = of_.pattern.bits > 0 || of_.offset != 0;
    if (swizzled && offset < 0) return -1;
    const std::int64_t before = swizzled ? of_.pattern(offset) - of_.offset : offset;
    const std::int64_t index = (*inverse_)(before);
    return index >= 0 && index < size(of_) && of_.inner(index) == before ? index : -1;
  }

 private:
  swizzled_layout of_;
  std::optional<layout> inverse_;
  std::vector<std::pair<std::int64_t, std::int64_t>> listed_;
};

/// One thing to look at.
struct subject {
  swizzled_layout of;
  int bits = 16;
  std::optional<operand_tile> tile;
  std::optional<fragment> registers;
  std::int64_t rows = 1, columns = 1;
  std::int64_t lowest = 0, span = 1;  ///< offsets: the lowest, and how many there are from it on
  offset_finder finder;

  std::int64_t offset(std::int64_t index) const { return of(index); }
  int_tuple coordinate(std::int64_t index) const { return idx2crd(index, shape(of)); }

  /// The byte in which an element begins; rounded down below 0 too.
  std::int64_t byte(std::int64_t index) const {
    const std::int64_t first_bit = offset(index) * bits;
    return first_bit >= 0 ? first_bit / 8 : -((7 - first_bit) / 8);
  }
};

/// The fragment that a layout from (thread, value) to m + 64 * column is, if it is one.
inline std::optional<fragment> fragment_of(const layout& l, int bits) {
  if (size(l) % (wgmma_rows * 8) == 0 && size(l) / wgmma_rows <= 256) {
    const int columns = static_cast<int>(size(l) / wgmma_rows);
    if (l == d_layout(columns)) return fragment{true, columns, bits == 16 ? 16 : 32};
  }
  for (const int width : {1, 8, 16, 32}) {
    if (l == a_layout(width)) return fragment{false, a_columns(width), width};
  }
  return {};
}

/// The lowest offset and the number of offsets, as far as they are to be had.
inline void measure(subject& s) {
  s.lowest = s.of.offset;
  for (int k = 0; k < s.of.inner.form.leaves; ++k) {
    const axis leaf = s.of.inner.leaf[k];
    if (leaf.stride < 0) s.lowest += (leaf.shape - 1) * leaf.stride;
  }
  s.span = cosize(s.of.inner);
  if (s.of.pattern.bits == 0) return;
  const std::int64_t end = s.lowest + s.span, block = s.of.pattern.period();
  s.lowest = s.lowest / block * block;  // a swizzle stays within its blocks
  s.span = (end + block - 1) / block * block - s.lowest;
  if (s.of.pattern.bits > 0 && s.span <= offset_finder::most_listed) s.span = cosize(s.of) - s.lowest;
}

/// The subject of a value. Refuses what is no layout, and what nobody could look at.
inline subject subject_of(const expressions::value& value, int bits) {
  subject s;
  if (!expressions::as_swizzled(value, s.of)) {
    refuse("this is ", expressions::kind_name(value), ", not a layout: there is nothing to draw");
  }
  if (size(s.of) > most_elements || cosize(s.of.inner) > most_elements || s.of.offset > most_elements) {
    refuse("this layout has more than 2^40 elements or offsets: it is not drawn");
  }
  s.bits = bits;
  if (const auto* t = std::get_if<operand_tile>(&value)) {
    s.tile = *t;
    s.bits = t->element_bits;
  } else if (!expressions::is_swizzled(value)) {
    s.registers = fragment_of(s.of.inner, bits);
    if (s.registers) s.bits = s.registers->bits;
  }
  if (rank(s.of) >= 2) s.rows = size(mode(s.of.inner, 0));
  s.columns = size(s.of) / s.rows;
  measure(s);
  s.finder = offset_finder(s.of);
  return s;
}

}  // namespace sectile::explorer
