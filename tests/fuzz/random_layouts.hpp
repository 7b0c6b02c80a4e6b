#pragma once
// Random layouts, tilers and swizzles: compact ones in any order, padded, overlapping, backwards, deep, degenerate, and
// with numbers near the ends of 32 and 64 bits.

#include <sectile/layouts/layouts.hpp>
#include <vector>

#include "brute_force.hpp"
#include "random.hpp"

namespace sectile_fuzz {

using sectile::axis;
using sectile::swizzle;
using sectile::swizzled_layout;
using sectile::tiler;

/// Random parentheses around `leaves` leaves, at most `levels` deep.
inline nesting random_nesting(random_source& random, int leaves, int levels) {
  int_tuple flat = sectile::empty_tree<int_tuple>();
  for (int k = 0; k < leaves; ++k) sectile::push_mode(flat, int_tuple(1));
  if (leaves == 1 && !random.once_in(4)) return flat.form;
  int_tuple tree = sectile::wrap(flat);
  for (int level = 1; level < levels && random.once_in(2); ++level) {
    const int rank = sectile::rank(tree);
    const int begin = static_cast<int>(random.below(rank));
    const int end = static_cast<int>(random.between(begin + 1, rank));
    tree = end - begin == rank && random.once_in(2) ? sectile::wrap(tree) : sectile::group(tree, begin, end);
  }
  return tree.form;
}

/// The leaves in the parentheses.
inline layout layout_of(const std::vector<axis>& leaves, const nesting& form) {
  layout l;
  l.leaf[0] = {};
  l.form = form;
  for (std::size_t k = 0; k < leaves.size(); ++k) l.leaf[k] = leaves[k];
  return l;
}

inline std::vector<std::int64_t> random_extents(random_source& random, int modes, std::int64_t largest) {
  std::vector<std::int64_t> extents;
  std::int64_t size = 1;
  for (int k = 0; k < modes; ++k) {
    std::int64_t extent = random.one_of<std::int64_t>({1, 2, 2, 2, 3, 4, 4, 5, 6, 8, 16});
    if (size * extent > largest) extent = 1;
    size *= extent;
    extents.push_back(extent);
  }
  return extents;
}

/// Leaves that cover [0, size) once, in a random order; `padding` leaves gaps now and then.
inline std::vector<axis> random_compact(random_source& random, const std::vector<std::int64_t>& extents, bool padding) {
  std::vector<std::size_t> order(extents.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  for (std::size_t k = order.size(); k > 1 && !random.once_in(3); --k) {
    std::swap(order[k - 1], order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(k)))]);
  }
  std::vector<axis> leaves(extents.size());
  std::int64_t step = 1;
  for (const std::size_t k : order) {
    if (padding && random.once_in(2)) step = random.once_in(2) ? step * random.between(1, 3) : step + random.below(3);
    leaves[k] = {extents[k], extents[k] == 1 && random.once_in(2) ? 0 : step};
    step *= extents[k];
  }
  return leaves;
}

/// A number near a power of two that is the end of some width.
inline std::int64_t random_large(random_source& random) {
  const std::int64_t base = std::int64_t{1} << random.one_of({15, 16, 20, 30, 31, 32, 33, 40, 48, 61, 62});
  return random.once_in(2) ? base : base + random.between(-2, 2);
}

inline layout random_large_layout(random_source& random) {
  for (;;) {
    const int modes = static_cast<int>(random.between(1, 4));
    std::vector<axis> leaves;
    for (int k = 0; k < modes; ++k) {
      const std::int64_t extent = random.once_in(3) ? random_large(random) : random.between(1, 8);
      const std::int64_t stride = random.once_in(2) ? random_large(random) : random.between(-4, 8);
      leaves.push_back({extent, random.once_in(8) ? -stride : stride});
    }
    const layout l = layout_of(leaves, random_nesting(random, modes, 3));
    wide size = 1;
    wide cosize = 1;
    for (const axis& leaf : leaves) {
      size *= leaf.shape;
      cosize += wide{leaf.shape - 1} * (leaf.stride < 0 ? -leaf.stride : leaf.stride);
      if (!fits_64(size) || !fits_64(cosize)) break;
    }
    if (fits_64(size) && fits_64(cosize)) return l;
  }
}

/// What kind of layouts an expression is made of.
enum class flavour { compact, padded, any, backwards, powers, deep, large };

inline layout random_layout(random_source& random, flavour kind) {
  if (kind == flavour::large) return random_large_layout(random);
  int modes = static_cast<int>(random.between(1, random.once_in(4) ? 6 : 3));
  if (kind == flavour::deep && random.once_in(4)) modes = static_cast<int>(random.between(18, 24));
  std::vector<std::int64_t> extents = random_extents(random, modes, 256);
  std::vector<axis> leaves;
  if (kind == flavour::powers) {
    for (std::int64_t& extent : extents) extent = std::int64_t{1} << random.below(4);
  }
  if (kind == flavour::any || kind == flavour::backwards) {
    const std::int64_t lowest = kind == flavour::backwards ? -8 : 0;
    for (const std::int64_t extent : extents)
      leaves.push_back({extent, random.between(lowest, random.once_in(4) ? 40 : 8)});
  } else {
    leaves = random_compact(random, extents, kind == flavour::padded);
  }
  if (kind != flavour::backwards && random.once_in(10)) leaves[0].stride = 0;
  const int levels = kind == flavour::deep ? static_cast<int>(random.between(2, 12)) : 3;
  layout l = layout_of(leaves, random_nesting(random, modes, levels));
  if (kind == flavour::deep && random.once_in(8)) {
    for (int level = sectile::depth(l); level < 100; ++level) l = sectile::wrap(l);
  }
  return l;
}

/// A layout that has a chance to pick elements out of `size`: its extents divide what is left of it.
inline layout random_tile(random_source& random, std::int64_t size) {
  std::vector<axis> leaves;
  std::int64_t step = 1;
  std::int64_t rest = size;
  const auto factor = [&] {
    std::int64_t f = random.between(1, 8);
    while (rest % f != 0) --f;
    return f;
  };
  for (int k = static_cast<int>(random.between(1, 3)); k > 0; --k) {
    const std::int64_t skipped = random.once_in(2) ? factor() : 1;
    step *= skipped;
    rest /= skipped;
    const std::int64_t extent = factor();
    leaves.push_back({extent, step});
    step *= extent;
    rest /= extent;
  }
  if (random.once_in(3)) std::swap(leaves.front(), leaves.back());
  if (random.once_in(12)) leaves.front().shape += 1;
  return layout_of(leaves, random_nesting(random, static_cast<int>(leaves.size()), 2));
}

/// A tiler as a tree of its own: a layout, _ or several tilers.
struct tile_tree {
  std::vector<tile_tree> parts;
  std::optional<layout> tile;  // nothing and no parts: _

  bool is_tuple() const { return !parts.empty(); }
  bool is_whole() const { return parts.empty() && !tile; }

  tiler value() const {
    if (tile) return tiler(*tile);
    if (parts.empty()) return tiler(sectile::_);
    sectile::tiler_builder builder;
    for (const tile_tree& part : parts) builder.push(part.value());
    return builder.finish();
  }
};

/// A tiler for the modes of a layout; one mode too many now and then.
inline tile_tree random_tiler(random_source& random, const node& of, int levels) {
  if (levels > 0 && !of.leaf && !of.parts.empty() && !random.once_in(3)) {
    tile_tree tuple;
    const auto rank = static_cast<std::int64_t>(of.parts.size());
    const std::int64_t modes = random.once_in(4) ? random.between(1, rank) : rank;
    for (std::int64_t i = 0; i < modes; ++i) {
      tuple.parts.push_back(random_tiler(random, of.parts[static_cast<std::size_t>(i)], levels - 1));
    }
    if (random.once_in(30)) tuple.parts.push_back({});
    return tuple;
  }
  if (levels < 2 && random.once_in(5)) return {};
  const wide size = size_of(of);
  return {{}, random_tile(random, size < 1'000'000 ? static_cast<std::int64_t>(size) : 64)};
}

inline swizzle random_swizzle(random_source& random) {
  const int bits = static_cast<int>(random.between(0, 3));
  const int shift = bits + static_cast<int>(random.below(3));
  return {bits, static_cast<int>(random.below(5)), random.once_in(5) ? -shift : shift};
}

}  // namespace sectile_fuzz
