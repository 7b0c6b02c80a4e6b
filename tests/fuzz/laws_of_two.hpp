#pragma once
// Laws of two layouts: composition, division and products, each by its definition on tables.

#include "laws_of_one.hpp"

namespace sectile_fuzz {

/// The extents of A's modes as digits of an index: coalesced, with the last one unbounded (0).
inline std::vector<std::int64_t> digits_of(const layout& a) {
  std::vector<axis> modes;
  for (int k = 0; k < a.form.leaves; ++k) {
    axis leaf = a.leaf[k];
    const bool last = k + 1 == a.form.leaves;
    if (leaf.shape == 1 && !last) continue;
    const bool merges = !modes.empty() && wide{modes.back().shape} * modes.back().stride == leaf.stride;
    if (merges) {
      modes.back().shape = static_cast<std::int64_t>(std::min<wide>(wide{modes.back().shape} * leaf.shape, INT64_MAX));
    } else {
      modes.push_back(leaf);
    }
  }
  std::vector<std::int64_t> digits;
  for (const axis& mode : modes) digits.push_back(mode.shape);
  digits.back() = 0;
  return digits;
}

/// What composition promises to find by brute force: a layout of each leaf of B such that the sum of the images is the
/// image of the sum.
struct composition_search {
  bool exists = false;
  bool without_carry = false;  // and in some such layout no coordinate of A carries into the next
};

inline composition_search search_composition(const layout& a, const layout& b) {
  std::vector<sequence> along(b.form.leaves);
  for (int k = 0; k < b.form.leaves; ++k) {
    for (std::int64_t x = 0; x < b.leaf[k].shape; ++x)
      along[static_cast<std::size_t>(k)].push_back(at(a, wide{x} * b.leaf[k].stride));
    if (!is_layout(along[static_cast<std::size_t>(k)])) return {};
  }
  sequence sums{0};
  for (const sequence& f : along) {
    const std::size_t inner = sums.size();
    for (std::size_t x = 1; x < f.size(); ++x) {
      for (std::size_t i = 0; i < inner; ++i) sums.push_back(sums[i] + f[x]);
    }
  }
  const sequence places = offsets(b);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (sums[i] != at(a, places[i])) return {};
  }
  const std::vector<std::int64_t> digits = digits_of(a);
  std::vector<wide> reached(digits.size(), 0);
  for (int k = 0; k < b.form.leaves; ++k) {
    // Without a carry all layouts of a leaf reach the same digits, so the first one without a carry will do.
    const bool clean = any_layout(along[static_cast<std::size_t>(k)], [&](const std::vector<std::size_t>& modes) {
      std::vector<wide> here(digits.size(), 0);
      wide step = b.leaf[k].stride < 0 ? -wide{b.leaf[k].stride} : wide{b.leaf[k].stride};
      for (const std::size_t mode : modes) {
        wide rest = step;
        for (std::size_t d = 0; d + 1 < digits.size(); ++d) {
          here[d] += static_cast<wide>(mode - 1) * (rest % digits[d]);
          if (here[d] >= digits[d]) return false;
          rest /= digits[d];
        }
        step *= static_cast<wide>(mode);
      }
      for (std::size_t d = 0; d < digits.size(); ++d) reached[d] += here[d];
      return true;
    });
    if (!clean) return {true, false};
  }
  for (std::size_t d = 0; d + 1 < digits.size(); ++d) {
    if (reached[d] >= digits[d]) return {true, false};
  }
  return {true, true};
}

inline bool has_both_signs(const layout& l) {
  bool up = false;
  bool down = false;
  for (int k = 0; k < l.form.leaves; ++k) {
    if (l.leaf[k].shape == 1) continue;
    up = up || l.leaf[k].stride > 0;
    down = down || l.leaf[k].stride < 0;
  }
  return up && down;
}

inline grounds justify_composition(case_state& state, const layout& a, const layout& b, std::string_view why,
                                   grounds limit) {
  if (limit == grounds::capacity) return limit;
  if (limit == grounds::cautious) {
    bool wraps = false;
    for (int k = 0; k < b.form.leaves; ++k) wraps = wraps || !fits_64(at(a, wide{b.leaf[k].stride}));
    wide reach = 0;
    for (int k = 0; k < b.form.leaves; ++k) {
      const wide end = at(a, wide{b.leaf[k].shape - 1} * b.leaf[k].stride);
      reach += end < 0 ? -end : end;
    }
    return wraps || !fits_64(reach + 1) ? grounds::overflow : grounds::cautious;
  }
  if (!is_small(b)) return grounds::unsearched;
  const composition_search found = search_composition(a, b);
  if (!found.exists) return grounds::impossible;
  if (digits_of(a).size() > 1 && has_both_signs(b)) {
    state.out.note("compositions refused for strides of both signs though a layout exists");
    return grounds::rule;
  }
  require(!found.without_carry, "composition is refused, but brute force finds it", a, b, std::string(why));
  return grounds::cancelling;
}

/// R has B's profile or a finer one, and R(i) == A(B(i)).
inline void check_composed(case_state& state, const layout& a, const layout& b, const layout& r, const char* what) {
  require(is_compatible(tree_of(b), tree_of(r)), "the shape of a composition is B's or finer", what, a, b, r);
  for_indices(state.random, size_of(b),
              [&](wide i) { require(at(r, i) == at(a, at(b, i)), "R(i) == A(B(i))", what, a, b, r, to_text(i)); });
}

inline std::optional<layout> check_composition(case_state& state, const layout& a, const layout& b) {
  const auto r = attempt(
      state, "composition", [&] { return sectile::composition(a, b); },
      [&](std::string_view why, grounds limit) { return justify_composition(state, a, b, why, limit); });
  if (r) check_composed(state, a, b, *r, "composition");
  return r;
}

/// Why A o (B, complement of B) is refused: the complement, a tiling that leaves elements out, or the composition.
inline grounds justify_divide(case_state& state, const layout& a, const layout& b, std::string_view why,
                              grounds limit) {
  if (limit != grounds::rule) return limit;
  if (says(why, "complement of")) return justify_complement(b);
  layout tiles;
  try {
    tiles = sectile::complement(b, sectile::size(a));
  } catch (const sectile::layout_error&) {
    require(false, "logical_divide is refused for another reason than its complement", a, b, std::string(why));
  }
  if (says(why, "leave out element")) {
    if (!is_small(a) || range_of(b).second > largest_table) return grounds::unsearched;
    const sequence tile = moving_offsets(b);
    const auto places = tiling(tile, size_of(a));
    require(!places || !some_layout_begins_with(*places, tile),
            "logical_divide is refused, but the tiles cover everything", a, b);
    return grounds::impossible;
  }
  return justify_composition(state, a, sectile::make_layout(b, tiles), why, limit);
}

/// Mode 0 is A o B; mode 1 is A o (translations of B that cover A, in order); every element of A is visited.
inline std::optional<layout> check_divide(case_state& state, const layout& a, const layout& b) {
  const auto r = attempt(
      state, "logical_divide", [&] { return sectile::logical_divide(a, b); },
      [&](std::string_view why, grounds limit) { return justify_divide(state, a, b, why, limit); });
  if (!r) return r;
  require(sectile::rank(*r) == 2, "logical_divide has rank 2", a, b, *r);
  const layout tiles = sectile::complement(b, sectile::size(a));
  const layout inside = sectile::mode(*r, 0);
  const layout over = sectile::mode(*r, 1);
  check_composed(state, a, b, inside, "logical_divide, the tile");
  check_composed(state, a, tiles, over, "logical_divide, the tiles");
  const wide tile_size = size_of(b);
  for_indices(state.random, size_of(*r), [&](wide i) {
    const wide place = at(b, i % tile_size) + at(tiles, i / tile_size);
    require(at(*r, i) == at(a, place), "logical_divide: R(x, y) == A(B(x) + B*(y))", a, b, *r, to_text(i));
  });
  if (!is_small(a) || !is_small(*r)) return r;
  std::set<wide> visited;
  for (const wide x : moving_offsets(b)) {
    for (const wide y : offsets(tiles)) require(visited.insert(x + y).second, "logical_divide: no overlap", a, b, *r);
  }
  for (wide i = 0; i < size_of(a); ++i)
    require(visited.count(i) == 1, "logical_divide leaves out", a, b, *r, to_text(i));
  const bool even = size_of(*r) == size_of(a);
  require(sectile::evenly_divides(a, b) == even, "evenly_divides", a, b, *r);
  return r;
}

inline grounds justify_product(case_state& state, const layout& a, const layout& b, std::string_view why,
                               grounds limit) {
  if (limit != grounds::rule) return limit;
  if (says(why, "complement of")) return justify_complement(a);
  wide target = 1;
  const auto [low, high] = range_of(b);
  for (layout places = sectile::complement(a); size_of(places) < high - low + 1;) {
    target = target * 2 < size_of(a) * (high - low + 1) ? size_of(a) * (high - low + 1) : target * 2;
    if (!fits_64(target)) return grounds::cautious;
    places = sectile::complement(a, static_cast<std::int64_t>(target));
    if (size_of(places) >= high - low + 1) return justify_composition(state, places, b, why, limit);
  }
  return justify_composition(state, sectile::complement(a, sectile::size(a) * sectile::cosize(b)), b, why, limit);
}

/// Mode 0 is A; mode 1 has B's profile; copy y of the block lies at the B(y)-th of the places that tile the offsets.
inline std::optional<layout> check_product(case_state& state, const layout& a, const layout& b) {
  const auto r = attempt(
      state, "logical_product", [&] { return sectile::logical_product(a, b); },
      [&](std::string_view why, grounds limit) { return justify_product(state, a, b, why, limit); });
  if (!r) return r;
  require(sectile::rank(*r) == 2 && sectile::mode(*r, 0) == a, "logical_product keeps the block", a, b, *r);
  const layout times = sectile::mode(*r, 1);
  require(is_compatible(tree_of(b), tree_of(times)), "logical_product has B's profile", a, b, *r);
  if (!is_small(*r)) return r;
  const sequence block = moving_offsets(a);
  std::set<wide> copies;
  for (const wide place : sorted_set(offsets(times))) {
    for (const wide x : block) require(copies.insert(place + x).second, "logical_product: copies overlap", a, b, *r);
  }
  const auto [low, high] = range_of(b);
  if (low < 0 || high > 256 || range_of(a).second > 256) return r;
  const auto places = tiling(block, (high + 1) * static_cast<wide>(block.size()) + range_of(a).second + 1);
  if (!places || places->size() <= static_cast<std::size_t>(high)) return r;
  for_indices(state.random, size_of(b), [&](wide y) {
    require(at(times, y) == (*places)[static_cast<std::size_t>(at(b, y))], "logical_product follows B", a, b, *r);
  });
  return r;
}

inline std::optional<layout> check_common(case_state& state, const layout& a, const layout& b) {
  const layout r = never_refused(state, "max_common_layout", [&] { return sectile::max_common_layout(a, b); });
  for_indices(state.random, size_of(r), [&](wide i) {
    require(at(a, at(r, i)) == i && at(b, at(r, i)) == i, "max_common_layout: a(R(i)) == b(R(i)) == i", a, b, r);
  });
  if (size_of(a) > 256 || size_of(b) > 256 || has_negative_stride(a) || has_negative_stride(b)) return r;
  const sequence in_a = offsets(a);
  const sequence in_b = offsets(b);
  if (!all_different(in_a) || !all_different(in_b)) return r;
  sequence common;
  for (wide i = 0;; ++i) {
    const auto place = std::find(in_a.begin(), in_a.end(), i);
    const auto other = std::find(in_b.begin(), in_b.end(), i);
    if (place == in_a.end() || other == in_b.end() || place - in_a.begin() != other - in_b.begin()) break;
    common.push_back(place - in_a.begin());
  }
  while (!is_layout(common)) common.pop_back();
  require(common.size() == static_cast<std::size_t>(size_of(r)), "max_common_layout is the longest", a, b, r,
          common.size());
  return r;
}

}  // namespace sectile_fuzz
