#pragma once
// Laws of a single layout: what its numbers mean, coalesce and filter, complement, the inverses, the questions.

#include "law.hpp"
#include "random_layouts.hpp"

namespace sectile_fuzz {

/// size, cosize, rank, depth, offsets under every kind of coordinate, and the notation.
inline void check_meaning(case_state& state, const layout& l) {
  const node tree = tree_of(l);
  const auto [low, high] = range_of(l);
  require(size_of(l) == sectile::size(l) && high - low + 1 == sectile::cosize(l), "size and cosize", l);
  require(static_cast<std::size_t>(sectile::rank(l)) == modes_of(tree).size(), "rank", l);
  require(to_string(l) == text(tree), "notation", l, text(tree));
  require(sectile::parse_layout(to_string(l)) == l, "notation read back", l);
  for_indices(state.random, std::min<wide>(size_of(l), 64), [&](wide) {
    const std::int64_t i = state.random.below(sectile::size(l));
    require(l(i) == at(l, i), "offset of an index", l, i);
    const int_tuple coordinate = sectile::idx2crd(i, sectile::shape(l));
    wide rest = i;
    for (int k = 0; k < l.form.leaves; ++k) {
      require(coordinate.leaf[k] == rest % l.leaf[k].shape, "coordinate of an index", l, i, coordinate);
      rest /= l.leaf[k].shape;
    }
    require(sectile::crd2idx(coordinate, l) == l(i), "offset of a coordinate", l, coordinate);
    require(sectile::crd2idx(coordinate, sectile::shape(l)) == i, "index of a coordinate", l, coordinate);
    if (sectile::rank(l) == 2) {
      const std::int64_t rows = sectile::size(sectile::mode(l, 0));
      require(l(i % rows, i / rows) == l(i), "offset of one index per mode", l, i);
    }
  });
}

inline layout check_coalesce(case_state& state, const layout& l) {
  const layout r = never_refused(state, "coalesce", [&] { return sectile::coalesce(l); });
  require(size_of(r) == size_of(l) && sectile::depth(r) <= 1, "coalesce keeps the size and is flat", l, r);
  for_indices(state.random, size_of(l),
              [&](wide i) { require(at(r, i) == at(l, i), "coalesce keeps the function", l, r); });
  if (size_of(l) <= 64) {
    const std::size_t modes = size_of(l) == 1 ? 0 : static_cast<std::size_t>(sectile::rank(r));
    require(fewest_modes(offsets(l)) == modes, "coalesce leaves the fewest modes", l, r);
  }
  return r;
}

/// The parts of l at the leaves of a random coarser profile, coalesced each for itself.
inline std::optional<layout> check_coalesce_by_profile(case_state& state, const layout& l) {
  const node tree = tree_of(l);
  int_tuple profile = sectile::empty_tree<int_tuple>();
  std::int64_t modes = sectile::rank(l);
  if (state.random.once_in(10)) ++modes;
  for (std::int64_t i = 0; i < modes; ++i) sectile::push_mode(profile, int_tuple(state.random.between(-1, 3)));
  profile = sectile::wrap(profile);
  const auto r = attempt(
      state, "coalesce by mode", [&] { return sectile::coalesce(l, profile); }, unless_limit([&](std::string_view) {
        require(modes > sectile::rank(l), "coalesce by mode is refused without need", l, profile);
        return grounds::rule;
      }));
  if (!r) return r;
  require(sectile::rank(*r) == sectile::rank(l), "coalesce by mode keeps the rank", l, profile, *r);
  for (int i = 0; i < sectile::rank(l); ++i) {
    const layout part = sectile::mode(*r, i);
    const layout before = sectile::mode(l, i);
    require(size_of(part) == size_of(before) && sectile::depth(part) <= 1, "coalesce by mode", l, profile, *r);
    for_indices(state.random, size_of(part),
                [&](wide k) { require(at(part, k) == at(before, k), "coalesce by mode", l, *r); });
  }
  return r;
}

inline layout check_filter(case_state& state, const layout& l) {
  const layout r = never_refused(state, "filter", [&] { return sectile::filter(l); });
  for (int k = 0; k < r.form.leaves && r != layout{}; ++k) {
    require(r.leaf[k].shape > 1 && r.leaf[k].stride != 0, "filter leaves no mode that stands still", l, r);
  }
  if (is_small(l)) require(sorted_set(offsets(r)) == sorted_set(offsets(l)), "filter keeps the set of offsets", l, r);
  return r;
}

/// The offsets of l without repetitions by modes that stand still.
inline sequence moving_offsets(const layout& l) {
  layout moving = l;
  for (int k = 0; k < l.form.leaves; ++k) {
    if (l.leaf[k].stride == 0) moving.leaf[k].shape = 1;
  }
  return offsets(moving);
}

inline bool has_negative_stride(const layout& l) {
  for (int k = 0; k < l.form.leaves; ++k) {
    if (l.leaf[k].stride < 0 && l.leaf[k].shape > 1) return true;
  }
  return false;
}

/// Complements are refused for negative strides and where no layout fills the gaps: the translations of l that cover
/// the first offsets are forced one by one, and they overlap or are no layout.
inline grounds justify_complement(const layout& l) {
  if (has_negative_stride(l)) return grounds::rule;
  if (!is_small(l) || range_of(l).second > largest_table) return grounds::unsearched;
  const sequence tile = moving_offsets(l);
  if (!all_different(tile)) return grounds::impossible;
  const auto places = tiling(tile, range_of(l).second + 1);
  // How far beyond its own span a layout would have to go on is not fixed, so every prefix counts.
  bool possible = places.has_value();
  if (possible) {
    const auto further = tiling(tile, 4 * (range_of(l).second + 1));
    possible = further && is_layout(*further);
  }
  require(!possible, "complement is refused, but brute force finds one", l);
  return grounds::impossible;
}

/// Whether copies of `tile` at the offsets of some layout, which begin with `first`, do not overlap. Of the last mode
/// as few steps are taken as reach over `first`: more can only overlap more.
inline bool some_layout_begins_with(const sequence& first, const sequence& tile, const sequence& so_far = {0}) {
  if (!std::equal(so_far.begin(), so_far.begin() + static_cast<std::ptrdiff_t>(std::min(so_far.size(), first.size())),
                  first.begin())) {
    return false;
  }
  if (so_far.size() >= first.size()) {
    sequence all;
    for (const wide place : so_far) {
      for (const wide offset : tile) all.push_back(place + offset);
    }
    return all_different(std::move(all));
  }
  const wide step = first[so_far.size()];
  sequence longer = so_far;
  for (wide x = 1; longer.size() < first.size(); ++x) {
    for (const wide offset : so_far) longer.push_back(x * step + offset);
    if (some_layout_begins_with(first, tile, longer)) return true;
  }
  return false;
}

inline std::optional<layout> check_complement(case_state& state, const layout& l, std::int64_t target) {
  const auto c = attempt(
      state, "complement", [&] { return sectile::complement(l, target); }, unless_limit([&](std::string_view) {
        if (target < 1) return grounds::rule;
        return justify_complement(l);
      }));
  if (!c) return c;
  require(target >= 1, "complement up to nothing", l, target);
  require(at(*c, 0) == 0 && sectile::coalesce(*c) == *c, "complement has the fewest modes", l, target, *c);
  if (!is_small(l) || !is_small(*c)) return c;
  const sequence places = offsets(*c);
  for (std::size_t i = 1; i < places.size(); ++i) {
    require(places[i - 1] < places[i], "complement increases", l, target, *c);
  }
  const sequence tile = moving_offsets(l);
  if (tile.size() * places.size() > largest_table) return c;
  sequence both;
  for (const wide place : places) {
    for (const wide offset : tile) both.push_back(place + offset);
  }
  require(all_different(both), "complement is disjoint", l, target, *c);
  both = sorted_set(std::move(both));
  const bool covers =
      static_cast<wide>(both.size()) >= target && both[static_cast<std::size_t>(target - 1)] == target - 1;
  if (!covers) {
    const auto exact = tiling(tile, target);
    require(!exact || !some_layout_begins_with(*exact, tile), "complement leaves gaps that a layout could fill", l,
            target, *c);
    state.out.note("complements that leave gaps, as no layout fills them");
  }
  return c;
}

/// The longest table i -> index with l(index) == i that is a layout, of a layout whose offsets are all different.
inline std::size_t longest_inverse(const layout& l) {
  const sequence table = offsets(l);
  sequence index_of;
  for (wide offset = 0;; ++offset) {
    const auto where = std::find(table.begin(), table.end(), offset);
    if (where == table.end()) break;
    index_of.push_back(where - table.begin());
  }
  while (!is_layout(index_of)) index_of.pop_back();
  return index_of.size();
}

inline layout check_right_inverse(case_state& state, const layout& l) {
  const layout r = never_refused(state, "right_inverse", [&] { return sectile::right_inverse(l); });
  for_indices(state.random, size_of(r), [&](wide i) {
    require(at(r, i) >= 0 && at(r, i) < size_of(l), "right_inverse stays inside", l, r);
    require(at(l, at(r, i)) == i, "right_inverse: L(R(i)) == i", l, r);
  });
  if (size_of(l) > 512 || has_negative_stride(l) || !all_different(offsets(l))) return r;
  require(longest_inverse(l) == static_cast<std::size_t>(size_of(r)), "right_inverse is the longest", l, r);
  return r;
}

/// The documented grounds: strides of both signs, or a stride that is no multiple of the next smaller one or lies
/// within what the smaller ones span.
inline grounds justify_left_inverse(const layout& l) {
  std::vector<axis> moving;
  const layout flat = sectile::coalesce(l);
  bool up = false;
  bool down = false;
  for (int k = 0; k < flat.form.leaves; ++k) {
    axis leaf = flat.leaf[k];
    if (leaf.stride == 0) continue;
    (leaf.stride > 0 ? up : down) = true;
    leaf.stride = leaf.stride < 0 ? -leaf.stride : leaf.stride;
    moving.push_back(leaf);
  }
  if (up && down) return grounds::rule;
  std::sort(moving.begin(), moving.end(), [](const axis& a, const axis& b) { return a.stride < b.stride; });
  for (std::size_t k = 1; k < moving.size(); ++k) {
    const wide span = wide{moving[k - 1].shape} * moving[k - 1].stride;
    if (moving[k].stride < span) {
      if (is_small(l) && !all_different(moving_offsets(l))) return grounds::impossible;
      return grounds::rule;
    }
    if (moving[k].stride % moving[k - 1].stride != 0) return grounds::rule;
  }
  require(false, "left_inverse is refused without need", l);
  return grounds::rule;
}

inline std::optional<layout> check_left_inverse(case_state& state, const layout& l) {
  const auto r = attempt(
      state, "left_inverse", [&] { return sectile::left_inverse(l); },
      unless_limit([&](std::string_view) { return justify_left_inverse(l); }));
  if (!r) return r;
  const bool different = is_small(l) && all_different(offsets(l));
  for_indices(state.random, size_of(l), [&](wide i) {
    const wide back = at(*r, at(l, i));
    require(at(l, back) == at(l, i), "left_inverse: L(R(L(i))) == L(i)", l, *r, i);
    require(!different || back == i, "left_inverse: R(L(i)) == i", l, *r, i);
  });
  return r;
}

inline void check_questions(case_state& state, const layout& l) {
  if (size_of(l) > 1024) return;
  state.out.accept("questions");
  const sequence all = offsets(l);
  const auto distinct = static_cast<wide>(sorted_set(all).size());
  const auto [low, high] = range_of(l);
  require(sectile::is_injective(l) == (distinct == size_of(l)), "is_injective", l);
  require(sectile::is_surjective(l) == (low == 0 && distinct == high + 1), "is_surjective", l);
  require(sectile::is_compact(l) == (low == 0 && distinct == high + 1 && distinct == size_of(l)), "is_compact", l);
  const layout zeros = sectile::nullspace(l);
  wide standing = 1;
  for (int k = 0; k < l.form.leaves; ++k) standing *= l.leaf[k].stride == 0 ? l.leaf[k].shape : 1;
  require(size_of(zeros) == standing && all_different(offsets(zeros)), "nullspace is whole", l, zeros);
  for (const wide i : offsets(zeros)) require(at(l, i) == 0, "nullspace maps to 0", l, zeros);
}

}  // namespace sectile_fuzz
