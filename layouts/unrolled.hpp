#pragma once
// Evaluation of a layout that is a template argument: every extent and stride becomes an immediate operand, with no
// table and no loop left. For code that runs per thread; L(i, j) says the same and is for everything else.

#include <cstdint>
#include <utility>

#include <sectile/layouts/swizzled.hpp>

namespace sectile {

/// What leaf k of L needs to know to find its coordinate in the indices.
struct leaf_place {
  int mode = 0;              // which index it reads
  std::int64_t divisor = 1;  // product of the extents before it in that mode
  bool bounded = false;      // it is not the last leaf of its mode
};

/// The place of leaf k of L under `indices` indices: one for all of L, or one per top-level mode.
constexpr leaf_place place_of_leaf(const layout& l, int k, int indices) {
  leaf_place place;
  int level = 0;
  for (int j = 0; j <= k; ++j) {
    level += l.form.open[j] - l.form.close[j];
    const bool ends = j + 1 == l.form.leaves || (indices > 1 && level <= 1);
    if (j == k) {
      place.bounded = !ends;
    } else if (ends) {
      ++place.mode;
      place.divisor = 1;
    } else {
      place.divisor *= l.leaf[j].shape;
    }
  }
  return place;
}

/// The coordinate of leaf K times its stride, in the type of the indices.
template <layout L, int K, class Index, int Indices>
constexpr Index leaf_offset(const Index (&index)[Indices]) {
  constexpr leaf_place place = place_of_leaf(L, K, Indices);
  constexpr std::int64_t extent = L.leaf[K].shape;
  constexpr std::int64_t step = L.leaf[K].stride;
  if constexpr (step == 0) return 0;
  Index coordinate = index[place.mode] / static_cast<Index>(place.divisor);
  if constexpr (place.bounded) coordinate %= static_cast<Index>(extent);
  return coordinate * static_cast<Index>(step);
}

/// L(index...) for one index, or one per top-level mode, computed in Index. Offsets must fit Index. Refuses an index
/// outside of its mode in constant evaluation, as L(index...) does.
template <layout L, class Index, class... More>
constexpr Index offset_in(Index first, More... more) {
  constexpr int indices = 1 + static_cast<int>(sizeof...(More));
  static_assert(indices == 1 || indices == rank(L), "one index for all of the layout, or one per mode");
  if (std::is_constant_evaluated()) require_coordinate(coordinate_of(first, more...), L);
  const Index index[] = {first, static_cast<Index>(more)...};
  return [&]<int... K>(std::integer_sequence<int, K...>) { return (Index{0} + ... + leaf_offset<L, K>(index)); }
  (std::make_integer_sequence<int, L.form.leaves>{});
}

/// The same for a swizzled layout.
template <swizzled_layout L, class Index, class... More>
constexpr Index offset_in(Index first, More... more) {
  constexpr swizzle pattern = L.pattern;
  constexpr std::int64_t offset = L.offset;
  return static_cast<Index>(pattern(offset + offset_in<L.inner>(first, more...)));
}

}  // namespace sectile
