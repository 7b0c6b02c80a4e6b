#pragma once
// From offsets back to elements: between which bounds the offsets of a layout are, and which element lies at one. A
// picture of memory asks this, of layouts of any size. Not for device code.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <sectile/layouts/inverse.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>

namespace sectile {

/// `count` offsets from `lowest` on.
struct offset_bounds {
  std::int64_t lowest = 0;
  std::int64_t count = 1;

  friend constexpr bool operator==(const offset_bounds&, const offset_bounds&) = default;
};

/// Beyond so many offsets a picture need not begin or end sharply.
inline constexpr std::int64_t most_sharp_offsets = 1 << 16;

/// Bounds of all offsets of a layout. Without a swizzle the least and the greatest offset are taken. With one they
/// begin at a multiple of its period, as it keeps every offset within its own, and end with the greatest offset, or of
/// more than most_sharp_offsets with a period. Refuses offsets that do not fit 64 bits.
constexpr offset_bounds bounds_of_offsets(const swizzled_layout& l) {
  std::int64_t lowest = l.offset, highest = l.offset;
  for (int i = 0; i < l.inner.form.leaves; ++i) {
    const axis leaf = l.inner.leaf[i];
    std::int64_t& end = leaf.stride < 0 ? lowest : highest;
    end = checked_add(end, checked_multiply(leaf.shape - 1, leaf.stride));
  }
  if (l.pattern.bits == 0) return {lowest, checked_add(highest, 1 - lowest)};
  const std::int64_t period = l.pattern.period();  // lowest >= 0, see with_swizzle
  lowest = lowest / period * period;
  const std::int64_t count = checked_add(highest / period * period, period) - lowest;
  return {lowest, count <= most_sharp_offsets ? cosize(l) - lowest : count};
}

/// Finds elements by their offset: through the left inverse where there is one, else in a sorted list of all elements
/// if they are not too many.
class offset_finder {
 public:
  static constexpr std::int64_t most_listed = 1 << 16;

  offset_finder() = default;

  explicit offset_finder(const swizzled_layout& l) : of_(l) {
    try {
      inverse_ = left_inverse(l.inner);
    } catch (const layout_error&) {  // modes that overlap or interleave
      list();
    }
  }

  /// Whether elements can be found. False of a layout without left inverse that has more than most_listed elements.
  bool works() const { return inverse_.has_value() || !listed_.empty(); }

  /// The first element that lies at an offset, -1 if none does. Precondition: works().
  std::int64_t find(std::int64_t offset) const {
    if (!inverse_) {
      const auto found = std::lower_bound(listed_.begin(), listed_.end(), std::pair{offset, std::int64_t{0}});
      return found != listed_.end() && found->first == offset ? found->second : -1;
    }
    const bool swizzled = of_.pattern.bits > 0 || of_.offset != 0;
    if (swizzled && offset < 0) return -1;
    const std::int64_t before = swizzled ? of_.pattern(offset) - of_.offset : offset;  // a swizzle is its own inverse
    const std::int64_t index = inverse_->unbounded(before);
    return index >= 0 && index < size(of_) && of_.inner(index) == before ? index : -1;
  }

 private:
  void list() {
    if (size(of_) > most_listed) return;
    for (std::int64_t i = 0; i < size(of_); ++i) listed_.emplace_back(of_(i), i);
    std::sort(listed_.begin(), listed_.end());
  }

  swizzled_layout of_;
  std::optional<layout> inverse_;
  std::vector<std::pair<std::int64_t, std::int64_t>> listed_;  // offset, element
};

}  // namespace sectile
