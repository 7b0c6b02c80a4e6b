#pragma once
// Division of a layout by a tile: the same elements, regrouped as (element of a tile, tile).

#include <sectile/layouts/complement.hpp>
#include <sectile/layouts/composition.hpp>

namespace sectile {

/// logical_divide() of two layouts that reports instead of throwing.
constexpr attempt try_logical_divide(const layout& a, const layout& b) {
  const attempt tiles = try_complement(b, size(a));
  if (!tiles) return tiles;
  const layout both = make_layout(b, tiles.value);
  const std::int64_t reached = contiguous_reach(filter(both));
  if (reached >= size(a)) return try_composition(a, both);
  return {.law = algebra_law::tiles_reach_all, .a = b, .b = tiles.value, .first = reached, .second = size(a)};
}

/// A o (B, complement(B, size(A))): mode 0 runs inside a tile that B picks, mode 1 over the tiles.
/// Post: mode(R, 0) == composition(A, B), and R visits every element of A. If the tiles do not divide A evenly, the
/// last ones reach beyond it (48 elements in tiles of 32 are 2 tiles), as in CuTe; size(R) > size(A) tells.
/// Refuses what composition and complement refuse, and tiles that leave elements of A out.
constexpr layout logical_divide(const layout& a, const layout& b) {
  return value_of([&] { return try_logical_divide(a, b); }, operation{"logical_divide of", a, " by ", b});
}

/// Mode by mode: R_i = logical_divide(A_i, T_i); A_i itself where the tile is _ or missing. Refuses a tiler with
/// more modes than A.
constexpr layout logical_divide(const layout& a, const tiler& t) {
  return value_of([&] { return try_by_mode(a, t, true, try_logical_divide); },
                  operation{"logical_divide of", a, " by ", t});
}

/// What zipped_divide and zipped_product share: splits each mode with `split` into (tile, rest) at the leaves of
/// the tiler and gathers ((tile, tile, ...), (rest, rest, ..., modes without a tile)). Reports a tiler with more modes
/// than A, and what `split` reports.
template <class Split>
constexpr attempt split_and_gather(const layout& a, const tiler& t, Split split) {
  if (!is_tuple(t)) return t.whole[0] ? attempt{.value = make_layout(layout{}, a)} : split(a, mode(t.tiles, 0));
  attempt both{.law = algebra_law::a_mode_for_each_tile, .a = a};
  if (rank(t) > rank(a)) return both;
  layout tiles = empty_tree<layout>();
  layout rests = empty_tree<layout>();
  for (int i = 0; i < rank(a); ++i) {
    if (i >= rank(t)) {
      push_mode(rests, mode(a, i));
      continue;
    }
    both = split_and_gather(mode(a, i), mode(t, i), split);
    if (!both) return both;
    push_mode(tiles, mode(both.value, 0));
    push_mode(rests, mode(both.value, 1));
  }
  return {.value = make_layout(wrap(tiles), wrap(rests))};
}

/// (x, (a, b, ...)) becomes (x, a, b, ...).
constexpr layout unpack_rest(const layout& zipped) {
  layout result = empty_tree<layout>();
  push_mode(result, mode(zipped, 0));
  const layout rest = mode(zipped, 1);
  for (int i = 0; i < rank(rest); ++i) push_mode(result, mode(rest, i));
  return wrap(result);
}

/// ((x, y, ...), (a, b, ...)) becomes (x, y, ..., a, b, ...).
constexpr layout unpack_both(const layout& zipped) {
  layout result = empty_tree<layout>();
  for (int m = 0; m < 2; ++m) {
    const layout part = mode(zipped, m);
    for (int i = 0; i < rank(part); ++i) push_mode(result, mode(part, i));
  }
  return wrap(result);
}

/// logical_divide gathered as ((tile M, tile N, ...), (rest M, rest N, ...)). A _ in the tiler puts 1:0 into the
/// tile and the whole mode into the rest.
constexpr layout zipped_divide(const layout& a, const tiler& t) {
  return value_of([&] { return split_and_gather(a, t, try_logical_divide); },
                  operation{"zipped_divide of", a, " by ", t});
}

/// zipped_divide as ((tile M, tile N, ...), rest M, rest N, ...).
constexpr layout tiled_divide(const layout& a, const tiler& t) {
  return unpack_rest(
      value_of([&] { return split_and_gather(a, t, try_logical_divide); }, operation{"tiled_divide of", a, " by ", t}));
}

/// zipped_divide as (tile M, tile N, ..., rest M, rest N, ...).
constexpr layout flat_divide(const layout& a, const tiler& t) {
  return unpack_both(
      value_of([&] { return split_and_gather(a, t, try_logical_divide); }, operation{"flat_divide of", a, " by ", t}));
}

/// Whether the tiler divides the shape of A without a remainder: logical_divide, where it is not refused, then has
/// exactly size(A) elements.
constexpr bool evenly_divides(const layout& a, const tiler& t) {
  if (is_tuple(t)) {
    if (rank(t) > rank(a)) return false;
    for (int i = 0; i < rank(t); ++i) {
      if (!evenly_divides(mode(a, i), mode(t, i))) return false;
    }
    return true;
  }
  if (t.whole[0]) return true;
  const layout tile = mode(t.tiles, 0);
  return size(a) == checked_multiply(size(tile), size(complement(tile, size(a))));
}

}  // namespace sectile
