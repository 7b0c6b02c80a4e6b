#pragma once
// Laws of swizzles and swizzled layouts: the permutation bit by bit, and what the algebra makes of a layout behind one.

#include "laws_by_mode.hpp"
#include "laws_of_trees.hpp"

namespace sectile_fuzz {

/// The permutation, bit by bit.
inline wide swizzled_by_bits(const swizzle& s, wide x) {
  wide y = x;
  for (int k = 0; k < s.bits; ++k) {
    const int low = s.base + k;
    const int high = s.base + k + (s.shift < 0 ? -s.shift : s.shift);
    const int source = s.shift < 0 ? low : high;
    const int target = s.shift < 0 ? high : low;
    if ((x >> source & 1) != 0) y ^= wide{1} << target;
  }
  return y;
}

inline wide at(const swizzled_layout& l, wide i) { return swizzled_by_bits(l.pattern, l.offset + at(l.inner, i)); }

inline sequence offsets(const swizzled_layout& l) {
  sequence all = offsets(l.inner);
  for (wide& offset : all) offset = swizzled_by_bits(l.pattern, l.offset + offset);
  return all;
}

/// S o offset o L as it is: evaluation, cosize, injectivity, notation.
inline void check_swizzled_meaning(case_state& state, const swizzled_layout& l) {
  require(l.offset + range_of(l.inner).first >= 0, "a swizzled layout stays above 0", l);
  for_indices(state.random, size_of(l.inner), [&](wide i) {
    require(l(static_cast<std::int64_t>(i)) == at(l, i), "offset of an index behind a swizzle", l, to_text(i));
  });
  require(sectile::parse_swizzled(to_string(l)) == l, "notation of a swizzled layout read back", l);
  if (!is_small(l.inner)) return;
  const sequence all = offsets(l);
  if (!fits_64(*std::max_element(all.begin(), all.end()) + 1)) return;
  require(sectile::cosize(l) == *std::max_element(all.begin(), all.end()) + 1, "cosize behind a swizzle", l,
          sectile::cosize(l));
  const bool different = all_different(all);
  require(sectile::is_injective(l) == different, "is_injective behind a swizzle", l);
  const auto largest = *std::max_element(all.begin(), all.end());
  require(sectile::is_bijective(l) == (different && largest + 1 == size_of(l.inner)), "is_bijective behind a swizzle",
          l);
}

/// An operation that acts on the layout inside: refused, or S o offset o (the same done to the layout inside).
template <class Operation>
void check_inside(case_state& state, const char* name, const swizzled_layout& l, Operation operation) {
  std::optional<layout> inside;
  try {
    inside = operation(l.inner);
  } catch (const sectile::layout_error&) {
  }
  const auto r = attempt(
      state, name, [&] { return operation(l); },
      [&](std::string_view, grounds limit) {
        if (!inside) return limit;
        const auto [low, high] = range_of(*inside);
        require(l.offset + low < 0 || !fits_64(l.offset + high), "refused behind a swizzle without need", name, l,
                *inside);
        return grounds::rule;
      });
  if (!r) return;
  require(inside.has_value(), "accepted behind a swizzle though refused without one", name, l, *r);
  require(r->pattern == l.pattern && r->offset == l.offset && r->inner == *inside, "acts on the layout inside", name, l,
          *r);
  check_swizzled_meaning(state, *r);
}

inline void check_swizzled_slice(case_state& state, const swizzled_layout& l) {
  random_coordinate c;
  choose_coordinate(state.random, tree_of(l.inner), c);
  const int_tuple coordinate = sectile::parse_tuple(c.text);
  const swizzled_layout r = sectile::slice(coordinate, l);
  state.out.accept("slice, swizzled");
  require(r.pattern == l.pattern && r.offset == l.offset + c.offset, "slice behind a swizzle", l, coordinate, r);
  require(r.inner == sectile::slice(coordinate, l.inner), "slice behind a swizzle", l, coordinate, r);
}

inline bool has_step_back(const layout& l) {
  return std::any_of(l.leaf, l.leaf + l.form.leaves, [](const axis& leaf) { return leaf.stride < 0; });
}

/// Elements of `to` bits hold what those of `from` bits hold.
inline void check_swizzled_recast(case_state& state, const swizzled_layout& l) {
  const int from = state.random.one_of({1, 4, 8, 16, 32, 64, 128});
  const int to = state.random.one_of({1, 4, 8, 16, 32, 64, 128});
  const std::int64_t common = std::gcd(from, to);
  const auto r = attempt(
      state, "recast, swizzled", [&] { return sectile::recast(l, from, to); }, unless_limit([&](std::string_view why) {
        const bool torn = l.pattern.bits > 0 && (from << l.pattern.base) < to;
        require(torn || l.offset % (to / common) != 0 || breaks_recast_rules(l.inner, to / common, from / common) ||
                    has_step_back(l.inner),
                "recast behind a swizzle is refused without need", l, from, to, std::string(why));
        return grounds::rule;
      }));
  if (!r || !is_small(l.inner) || !is_small(r->inner)) return;
  const wide parts = from > to ? from / to : 1;
  const wide merged = to > from ? to / from : 1;
  sequence expected;
  for (const wide offset : offsets(l)) {
    for (wide j = 0; j < parts; ++j) expected.push_back(offset / merged * parts + j);
  }
  require(sorted_set(offsets(*r)) == sorted_set(std::move(expected)), "recast behind a swizzle", l, from, to, *r);
}

inline bool has_standing_mode(const layout& l) {
  for (int k = 0; k < l.form.leaves; ++k) {
    if (l.leaf[k].shape > 1 && l.leaf[k].stride == 0) return true;
  }
  return false;
}

/// A o S is refused where A does not keep the bits of S side by side. That is more than what is impossible: how often
/// some swizzle does the same is counted. It is none of one bit, where A moves every bit somewhere.
inline grounds justify_after_swizzle(case_state& state, const layout& a, const swizzle& s) {
  if (!is_small(a)) return grounds::unsearched;
  const sequence all = offsets(a);
  for (wide i = 0; i < size_of(a); ++i) {
    if (swizzled_by_bits(s, i) >= size_of(a)) return grounds::rule;
  }
  for (int bits = 0; bits <= 3; ++bits) {
    for (int base = 0; base < 14; ++base) {
      for (int shift = -12; shift <= 12; ++shift) {
        const swizzle other{bits, base, shift};
        if ((shift < 0 ? -shift : shift) < bits) continue;
        bool same = true;
        for (wide i = 0; i < size_of(a) && same; ++i) {
          const wide from = all[static_cast<std::size_t>(i)];
          same = from >= 0 && swizzled_by_bits(other, from) == all[static_cast<std::size_t>(swizzled_by_bits(s, i))];
        }
        if (!same) continue;
        require(!sectile::moves_whole_bits(a) || has_standing_mode(a) || s.bits > 1,
                "A o S is refused, but another swizzle does it", a, s, other);
        state.out.note("A o swizzle refused though some swizzle does the same");
        return grounds::rule;
      }
    }
  }
  return grounds::impossible;
}

inline std::optional<swizzled_layout> check_after_swizzle(case_state& state, const layout& a, const swizzle& s) {
  const auto r = attempt(
      state, "A o swizzle", [&] { return sectile::composition(a, s); },
      unless_limit([&](std::string_view) { return justify_after_swizzle(state, a, s); }));
  if (!r) return r;
  for_indices(state.random, size_of(a),
              [&](wide i) { require(at(*r, i) == at(a, swizzled_by_bits(s, i)), "A o S", a, s, *r, to_text(i)); });
  return r;
}

/// The inverses are refused for an offset before the swizzle, and where inverse o swizzle is.
template <class Inverse>
std::optional<swizzled_layout> check_swizzled_inverse(case_state& state, const char* name, const swizzled_layout& l,
                                                      Inverse inverse) {
  return attempt(
      state, name, [&] { return inverse(l); }, unless_limit([&](std::string_view why) {
        if (l.offset != 0) return grounds::rule;
        try {
          const layout inside = inverse(l.inner);
          require(!check_after_swizzle(state, inside, l.pattern), "refused without need", name, l, std::string(why));
        } catch (const sectile::layout_error&) {
        }
        return grounds::rule;
      }));
}

inline void check_swizzled_inverses(case_state& state, const swizzled_layout& l) {
  const auto right = check_swizzled_inverse(state, "right_inverse, swizzled", l,
                                            [](const auto& x) { return sectile::right_inverse(x); });
  if (right) {
    for_indices(state.random, size_of(right->inner), [&](wide i) {
      require(at(l, at(*right, i)) == i, "right_inverse behind a swizzle", l, *right, to_text(i));
    });
  }
  const auto left = check_swizzled_inverse(state, "left_inverse, swizzled", l,
                                           [](const auto& x) { return sectile::left_inverse(x); });
  if (!left || !is_small(l.inner) || !all_different(offsets(l.inner))) return;
  for_indices(state.random, size_of(l.inner), [&](wide i) {
    require(at(*left, at(l, i)) == i, "left_inverse behind a swizzle", l, *left, to_text(i));
  });
}

/// A o (S o B), refused for an offset, a B that leads out of A, and where A o S or A o B is.
inline void check_composition_with_swizzled(case_state& state, const layout& a, const swizzled_layout& b) {
  const auto r = attempt(
      state, "A o swizzled", [&] { return sectile::composition(a, b); }, unless_limit([&](std::string_view why) {
        if (b.offset != 0 || !is_small(b.inner)) return b.offset != 0 ? grounds::rule : grounds::unsearched;
        const sequence all = offsets(b);
        if (*std::max_element(all.begin(), all.end()) >= size_of(a)) return grounds::rule;
        if (!check_after_swizzle(state, a, b.pattern)) return grounds::rule;
        return justify_composition(state, a, b.inner, why, grounds::rule);
      }));
  if (!r) return;
  for_indices(state.random, size_of(b.inner),
              [&](wide i) { require(at(*r, i) == at(a, at(b, i)), "A o (S o B)", a, b, *r, to_text(i)); });
}

inline void check_swizzles(case_state& state, const layout& l) {
  random_source& random = state.random;
  const swizzle s = random_swizzle(random);
  const wide low = range_of(l).first;
  const wide lift = random.once_in(3) ? random.below(100) : 0;
  if (!fits_64(lift - low)) return;
  const auto offset = static_cast<std::int64_t>(random.once_in(8) ? lift : lift - low);
  const auto made = attempt(
      state, "with_swizzle", [&] { return sectile::with_swizzle(l, s, offset); },
      [&](std::string_view, grounds) {
        const wide high = offset + range_of(l).second;
        require(offset + low < 0 || !fits_64(high), "with_swizzle is refused without need", l, s, offset);
        return offset + low < 0 ? grounds::rule : grounds::overflow;
      });
  if (!made) return;
  require(offset + low >= 0 && fits_64(offset + range_of(l).second), "with_swizzle must be refused", l, s, offset);
  check_swizzled_meaning(state, *made);
  const tile_tree t = random_tiler(random, tree_of(l), 1);
  const layout grid = random.once_in(3) ? random_layout(random, flavour::backwards) : random_tile(random, 12);
  check_inside(state, "coalesce, swizzled", *made, [](const auto& x) { return sectile::coalesce(x); });
  check_inside(state, "composition, swizzled", *made,
               [&](const auto& x) { return sectile::composition(x, t.value()); });
  check_inside(state, "logical_divide, swizzled", *made,
               [&](const auto& x) { return sectile::logical_divide(x, t.value()); });
  check_inside(state, "zipped_divide, swizzled", *made,
               [&](const auto& x) { return sectile::zipped_divide(x, t.value()); });
  check_inside(state, "logical_product, swiz.", *made,
               [&](const auto& x) { return sectile::logical_product(x, tiler(grid)); });
  check_inside(state, "blocked_product, swiz.", *made,
               [&](const auto& x) { return sectile::blocked_product(x, grid); });
  check_swizzled_slice(state, *made);
  check_swizzled_recast(state, *made);
  check_after_swizzle(state, l, s);
  check_swizzled_inverses(state, *made);
  check_composition_with_swizzled(state, l, *made);
  // An A that has a chance to be moved through: whole bits, side by side.
  const layout bits = random_layout(random, flavour::powers);
  check_after_swizzle(state, bits, s);
  check_composition_with_swizzled(state, bits, {s, 0, random_tile(random, sectile::size(bits))});
}

}  // namespace sectile_fuzz
