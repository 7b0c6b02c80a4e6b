#pragma once
// Laws of what rearranges, cuts or re-counts a layout: modes and parentheses, slices, ordered layouts, tile_to_shape,
// recasts.

#include <numeric>

#include "laws_of_one.hpp"

namespace sectile_fuzz {

/// Random rearrangement of the modes, compared as text with the same done to the tree.
inline std::optional<layout> check_modes(case_state& state, const layout& l) {
  std::vector<node> modes = modes_of(tree_of(l));
  if (modes.empty()) return std::nullopt;
  random_source& random = state.random;
  const auto rank = static_cast<std::int64_t>(modes.size());
  const std::int64_t begin = random.below(rank);
  const std::int64_t end = random.between(begin + 1, rank);
  const std::int64_t i = random.below(rank);
  const layout other = sectile::make_layout(sectile::make_shape(2, 3), sectile::make_stride(random.between(-3, 3), 7));
  std::vector<node> expected;
  layout r;
  try {
    switch (random.below(7)) {
      case 0:
        r = sectile::take(l, static_cast<int>(begin), static_cast<int>(end));
        expected.assign(modes.begin() + begin, modes.begin() + end);
        break;
      case 1:
        r = sectile::group(l, static_cast<int>(begin), static_cast<int>(end));
        expected.assign(modes.begin(), modes.begin() + begin);
        expected.push_back(tuple_of({modes.begin() + begin, modes.begin() + end}));
        expected.insert(expected.end(), modes.begin() + end, modes.end());
        break;
      case 2:
        r = sectile::append(l, other);
        expected = modes;
        expected.push_back(tree_of(other));
        break;
      case 3:
        r = sectile::prepend(l, other);
        expected = modes;
        expected.insert(expected.begin(), tree_of(other));
        break;
      case 4:
        r = sectile::select(l, static_cast<int>(i), static_cast<int>(begin));
        expected = {modes[static_cast<std::size_t>(i)], modes[static_cast<std::size_t>(begin)]};
        break;
      case 5:
        r = sectile::zip(l, l);
        for (const node& mode : modes) expected.push_back(tuple_of({mode, mode}));
        break;
      default:
        r = sectile::unflatten(sectile::flatten(l), sectile::shape(l));
        require(r == l, "unflatten takes flatten back", l, r);
        r = sectile::flatten(l);
        expected = leaves_of(tree_of(l));
        if (tree_of(l).leaf) {
          require(r == l, "flatten keeps a leaf", l);
          return r;
        }
    }
    r = sectile::checked_layout(r);
  } catch (const sectile::layout_error& error) {
    const auto limit = limit_of(error.what());
    require(limit.has_value(), "rearranging is refused", l, error.what());
    state.out.refuse("modes", *limit);
    return std::nullopt;
  }
  state.out.accept("modes");
  require(to_string(r) == text(tuple_of(expected)), "modes", l, r, text(tuple_of(expected)));
  return r;
}

/// A coordinate for a tree: numbers, _ or deeper, and where its numbers lie.
struct random_coordinate {
  std::string text;
  std::vector<node> kept;   // modes under _
  std::vector<node> fixed;  // modes under numbers
  wide offset = 0;          // of the numbers
};

/// The offset of index i of a tree.
inline wide offset_in(const node& n, wide i) {
  wide offset = 0;
  const std::vector<node> leaves = leaves_of(n);
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const bool last = k + 1 == leaves.size();
    offset += (last ? i : i % leaves[k].extent) * leaves[k].stride;
    i /= leaves[k].extent;
  }
  return offset;
}

inline void choose_coordinate(random_source& random, const node& n, random_coordinate& c) {
  if (!n.leaf && random.once_in(2)) {
    c.text += '(';
    for (std::size_t i = 0; i < n.parts.size(); ++i) {
      if (i > 0) c.text += ',';
      choose_coordinate(random, n.parts[i], c);
    }
    c.text += ')';
  } else if (random.once_in(2)) {
    c.text += '_';
    c.kept.push_back(n);
  } else {
    const std::int64_t index = random.below(static_cast<std::int64_t>(size_of(n)));
    c.text += std::to_string(index);
    c.fixed.push_back(n);
    c.offset += offset_in(n, index);
  }
}

inline std::optional<layout> check_slice(case_state& state, const layout& l) {
  random_coordinate c;
  choose_coordinate(state.random, tree_of(l), c);
  const int_tuple coordinate = sectile::parse_tuple(c.text);
  const sectile::slice_at r = sectile::slice_and_offset(coordinate, l);
  state.out.accept("slice");
  require(r.offset == c.offset, "slice_and_offset: the offset of the numbers", l, coordinate, r.kept, r.offset);
  if (c.text == "_") {
    require(r.kept == l, "slice of everything", l);
    return r.kept;
  }
  const std::string dice = to_string(sectile::dice(coordinate, l));
  if (coordinate.form.open[0] > 0) {
    require(to_string(r.kept) == text(tuple_of(c.kept)), "slice", l, coordinate, r.kept, text(tuple_of(c.kept)));
    require(dice == text(tuple_of(c.fixed)), "dice", l, coordinate, dice, text(tuple_of(c.fixed)));
  }
  require(sectile::parse_layout(to_string(r.kept)) == r.kept, "a slice is read back", l, coordinate, r.kept);
  if (r.kept.form.leaves == 0) return std::nullopt;
  return r.kept;
}

/// The tree with some parts made leaves of the same size, or of another one.
inline node coarsened(random_source& random, const node& n) {
  if (n.leaf || random.once_in(3)) {
    node leaf = one();
    const wide size = size_of(n);
    leaf.extent = fits_64(size) ? static_cast<std::int64_t>(size) : 1;
    if (random.once_in(12)) leaf.extent = random.between(1, 12);
    return leaf;
  }
  node coarse = tuple_of({});
  for (const node& part : n.parts) coarse.parts.push_back(coarsened(random, part));
  if (random.once_in(12)) coarse.parts.push_back(one());
  if (random.once_in(12)) coarse = tuple_of({coarse});
  return coarse;
}

/// Which profile is coarser than which, and whose coordinates fit whom.
inline void check_profiles(case_state& state, const layout& l) {
  if (l.form.leaves == 0) return;
  const node fine = tree_of(l);
  const node coarse = coarsened(state.random, fine);
  if (leaves_of(coarse).size() > 24 || sectile::depth(l) > 60) return;
  const int_tuple a = sectile::parse_tuple(shape_text(coarse));
  const int_tuple b = sectile::shape(l);
  state.out.accept("profiles");
  require(sectile::weakly_congruent(a, b) == is_coarser(coarse, fine), "weakly_congruent", a, b);
  require(sectile::weakly_congruent(b, a) == is_coarser(fine, coarse), "weakly_congruent", b, a);
  require(sectile::compatible(a, b) == is_compatible(coarse, fine), "compatible", a, b);
  require(sectile::compatible(b, a) == is_compatible(fine, coarse), "compatible", b, a);
}

/// Compact in the order of the ranks: brute force sorts the coordinates.
inline std::optional<layout> check_ordered(case_state& state, const layout& like) {
  const int_tuple shape = sectile::shape(like);
  int_tuple order = shape;
  for (int k = 0; k < order.form.leaves; ++k)
    order.leaf[k] = state.random.between(-3, state.random.once_in(2) ? 3 : 40);
  const auto r = attempt(
      state, "make_ordered_layout", [&] { return sectile::make_ordered_layout(shape, order); },
      unless_limit([&](std::string_view why) {
        require(false, "make_ordered_layout is refused", shape, order, std::string(why));
        return grounds::rule;
      }));
  if (!r) return r;
  std::vector<int> by_rank(shape.form.leaves);
  std::iota(by_rank.begin(), by_rank.end(), 0);
  std::stable_sort(by_rank.begin(), by_rank.end(), [&](int x, int y) { return order.leaf[x] < order.leaf[y]; });
  wide step = 1;
  for (const int k : by_rank) {
    require(r->leaf[k].shape == shape.leaf[k], "make_ordered_layout keeps the shape", shape, order, *r);
    require(r->leaf[k].shape == 1 || r->leaf[k].stride == step, "make_ordered_layout is compact", shape, order, *r);
    step *= shape.leaf[k];
  }
  return r;
}

/// The block repeated over whole tiles: a bijection if the block is one, and every copy the block moved.
inline std::optional<layout> check_tile_to_shape(case_state& state, const layout& like) {
  random_source& random = state.random;
  const node tree = tree_of(like);
  std::vector<axis> leaves =
      random_compact(random, random_extents(random, static_cast<int>(modes_of(tree).size()), 64), false);
  const layout block = layout_of(leaves, random_nesting(random, static_cast<int>(leaves.size()), 1));
  int_tuple target = sectile::empty_tree<int_tuple>();
  std::vector<std::int64_t> times;
  for (const axis& leaf : leaves) {
    times.push_back(random.between(1, 4));
    sectile::push_mode(target, int_tuple(leaf.shape * times.back()));
  }
  const bool torn = random.once_in(8);
  if (torn) target.leaf[0] += 1;
  target = leaves.size() == 1 && random.once_in(2) ? target : sectile::wrap(target);
  const auto r = attempt(
      state, "tile_to_shape", [&] { return sectile::tile_to_shape(block, target); },
      unless_limit([&](std::string_view) {
        require(torn && leaves[0].shape > 1, "tile_to_shape is refused without need", block, target);
        return grounds::rule;
      }));
  if (!r) return r;
  require(size_of(*r) == size_of(tree_of(target)) && sectile::rank(*r) == sectile::rank(target), "tile_to_shape", block,
          target, *r);
  const node result = tree_of(*r);
  wide copies = 1;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const node& mode = result.parts[i];
    require(mode.parts[0].extent == leaves[i].shape && mode.parts[0].stride == leaves[i].stride,
            "tile_to_shape keeps the block", block, target, *r);
    require(mode.parts[1].extent == 1 || mode.parts[1].stride == size_of(block) * copies,
            "tile_to_shape repeats in order", block, target, *r);
    copies *= mode.parts[1].extent;
  }
  return r;
}

/// The documented grounds of upcast and downcast, from the strides alone.
inline bool breaks_recast_rules(const layout& l, std::int64_t merged, std::int64_t parts) {
  wide inside = 0;
  bool up = false;
  bool down = false;
  for (int k = 0; k < l.form.leaves; ++k) {
    const auto [extent, step] = l.leaf[k];
    const wide distance = step < 0 ? -wide{step} : wide{step};
    if (extent == 1 || step == 0) continue;
    (step > 0 ? up : down) = true;
    if (distance % merged == 0) continue;
    if (merged % distance != 0) return true;
    inside += (std::min<wide>(extent, merged / distance) - 1) * distance;
  }
  if (inside >= merged || (inside > 0 && up && down)) return true;
  if (parts == 1) return false;
  const layout wide_ones = sectile::upcast(l, merged);
  int contiguous = 0;
  int of_extent_1 = 0;
  for (int k = 0; k < l.form.leaves; ++k) {
    const auto [extent, step] = wide_ones.leaf[k];
    if (step == 1 || step == -1) ++(extent > 1 ? contiguous : of_extent_1);
  }
  return contiguous > 1 || contiguous + of_extent_1 == 0;
}

/// Offsets of wide elements are those of narrow ones divided, those of narrow ones all parts of the wide ones.
inline std::optional<layout> check_recast(case_state& state, const layout& l) {
  const std::int64_t from = state.random.one_of<std::int64_t>({1, 4, 8, 8, 16, 16, 32, 64, 12, 24});
  const std::int64_t to = state.random.one_of<std::int64_t>({1, 4, 8, 8, 16, 16, 32, 64, 12, 128});
  const std::int64_t common = std::gcd(from, to);
  const std::int64_t merged = to / common;
  const std::int64_t parts = from / common;
  const auto r = attempt(
      state, "recast", [&] { return sectile::recast(l, from, to); }, unless_limit([&](std::string_view why) {
        require(breaks_recast_rules(l, merged, parts), "recast is refused without need", l, from, to, std::string(why));
        return grounds::rule;
      }));
  if (!r) return r;
  require(sectile::rank(*r) == sectile::rank(l), "recast keeps the rank", l, from, to, *r);
  if (!is_small(l) || !is_small(*r)) return r;
  const bool backwards = range_of(*r).first < 0;
  sequence expected;
  for (const wide offset : offsets(l)) {
    for (wide j = 0; j < parts; ++j) expected.push_back(offset / merged * parts + (backwards ? -j : j));
  }
  const bool mixed = parts > 1 && backwards && range_of(*r).second > 0;
  require(mixed || sorted_set(offsets(*r)) == sorted_set(std::move(expected)), "recast covers the same memory", l, from,
          to, *r);
  return r;
}

/// Nesting, extents and leaves that are not a layout are refused, and only those.
inline void check_making(case_state& state) {
  random_source& random = state.random;
  const int leaves = static_cast<int>(random.between(1, 5));
  int_tuple shape;
  shape.form = random_nesting(random, leaves, 3);
  int_tuple stride = shape;
  if (random.once_in(4)) stride.form = random_nesting(random, leaves, 3);
  wide size = 1;
  wide cosize = 1;
  bool good = shape.form == stride.form;
  bool wraps = false;
  for (int k = 0; k < leaves; ++k) {
    shape.leaf[k] =
        random.once_in(6) ? random.one_of<std::int64_t>({0, -1, -7, INT64_MIN, INT64_MAX, 1}) : random.between(1, 9);
    stride.leaf[k] = random.once_in(6)
                         ? random.one_of<std::int64_t>({INT64_MIN, INT64_MAX, -INT64_MAX, random_large(random)})
                         : random.between(-9, 9);
    good = good && shape.leaf[k] >= 1 && stride.leaf[k] != INT64_MIN;
    if (!good || wraps) continue;
    const wide step = stride.leaf[k] < 0 ? -wide{stride.leaf[k]} : wide{stride.leaf[k]};
    size *= shape.leaf[k];
    wraps = !fits_64(size) || step * (shape.leaf[k] - 1) + cosize > INT64_MAX;
    cosize += step * (shape.leaf[k] - 1);
  }
  const auto l = attempt(
      state, "make_layout", [&] { return sectile::make_layout(shape, stride); },
      [&](std::string_view, grounds) {
        require(!good || wraps, "make_layout is refused without need", shape, stride);
        return good ? grounds::overflow : grounds::rule;
      });
  require(!l || (good && !wraps), "make_layout must be refused", shape, stride);
}

}  // namespace sectile_fuzz
