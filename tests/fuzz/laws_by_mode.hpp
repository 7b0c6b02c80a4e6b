#pragma once
// Laws of operations with tilers: each mode by the law of one mode, and the four ways to gather the parts compared with
// text put together here.

#include "laws_of_two.hpp"

namespace sectile_fuzz {

/// A layout of the parts of a split: a tile and the rest, as trees.
struct split_parts {
  node tile;
  node rest;
};

/// Checks that R is op(A, T) mode by mode. `leaf(a, tile, r)` is the law of one mode; `drops` says whether modes of A
/// behind the last tile are dropped.
template <class Leaf>
void check_by_mode(const layout& a, const tile_tree& t, const layout& r, bool drops, Leaf leaf) {
  if (t.is_whole()) return require(r == a, "a mode under _ stays", a, r);
  if (t.tile) return leaf(a, *t.tile, r);
  const int modes = static_cast<int>(t.parts.size());
  require(sectile::rank(r) == (drops ? modes : sectile::rank(a)), "rank of a result by mode", a, t.value(), r);
  for (int i = 0; i < sectile::rank(r); ++i) {
    const layout before = sectile::mode(a, i);
    const layout after = sectile::mode(r, i);
    if (i >= modes) {
      require(after == before, "a mode without a tile stays", a, t.value(), r);
    } else {
      check_by_mode(before, t.parts[static_cast<std::size_t>(i)], after, drops, leaf);
    }
  }
}

/// The refusal of an operation by mode: too many modes, or the first mode that refuses when it is tried alone; nothing
/// if there is none.
template <class Operation, class Justify>
std::optional<grounds> justify_by_mode(const layout& a, const tile_tree& t, Operation operation, Justify justify) {
  if (t.is_whole()) return std::nullopt;
  if (t.tile) {
    try {
      operation(a, *t.tile);
    } catch (const sectile::layout_error& error) {
      return justify(a, *t.tile, error.what(), limit_of(error.what()).value_or(grounds::rule));
    }
    return std::nullopt;
  }
  if (t.parts.size() > modes_of(tree_of(a)).size()) return grounds::rule;
  for (std::size_t i = 0; i < t.parts.size(); ++i) {
    const auto why = justify_by_mode(sectile::mode(a, static_cast<int>(i)), t.parts[i], operation, justify);
    if (why) return why;
  }
  return std::nullopt;
}

inline std::optional<layout> check_composition_by_mode(case_state& state, const layout& a, const tile_tree& t) {
  const auto one = [](const layout& l, const layout& tile) { return sectile::composition(l, tile); };
  const auto r = attempt(
      state, "composition by mode", [&] { return sectile::composition(a, t.value()); },
      [&](std::string_view, grounds limit) {
        if (limit != grounds::rule) return limit;
        const auto why =
            justify_by_mode(a, t, one, [&](const layout& l, const layout& tile, const char* text, grounds g) {
              return justify_composition(state, l, tile, text, g);
            });
        require(why.has_value(), "composition by mode is refused without need", a, t.value());
        return *why;
      });
  if (!r) return r;
  check_by_mode(a, t, *r, true, [&](const layout& l, const layout& tile, const layout& got) {
    check_composed(state, l, tile, got, "composition by mode");
  });
  return r;
}

/// The parts as zipped_divide gathers them; `split` is logical_divide or logical_product of one mode.
template <class Split>
split_parts gathered(const layout& a, const tile_tree& t, Split split) {
  if (t.is_whole()) return {one(), tree_of(a)};
  if (t.tile) {
    const node both = tree_of(split(a, *t.tile));
    return {both.parts[0], both.parts[1]};
  }
  split_parts all{tuple_of({}), tuple_of({})};
  for (int i = 0; i < sectile::rank(a); ++i) {
    const layout mode = sectile::mode(a, i);
    if (i >= static_cast<int>(t.parts.size())) {
      all.rest.parts.push_back(tree_of(mode));
      continue;
    }
    split_parts part = gathered(mode, t.parts[static_cast<std::size_t>(i)], split);
    all.tile.parts.push_back(std::move(part.tile));
    all.rest.parts.push_back(std::move(part.rest));
  }
  return all;
}

/// (x, rests...) and (tiles..., rests...)
inline node as_tiled(const split_parts& parts) {
  std::vector<node> modes = modes_of(parts.rest);
  modes.insert(modes.begin(), parts.tile);
  return tuple_of(std::move(modes));
}
inline node as_flat(const split_parts& parts) {
  std::vector<node> modes = modes_of(parts.tile);
  for (const node& rest : modes_of(parts.rest)) modes.push_back(rest);
  return tuple_of(std::move(modes));
}

/// Which family of four an operation by mode belongs to.
struct split_family {
  const char* name;
  layout (*one)(const layout&, const layout&);
  layout (*logical)(const layout&, const tiler&);
  layout (*zipped)(const layout&, const tiler&);
  layout (*tiled)(const layout&, const tiler&);
  layout (*flat)(const layout&, const tiler&);
};

inline const split_family division{"divide by mode",       sectile::logical_divide, sectile::logical_divide,
                                   sectile::zipped_divide, sectile::tiled_divide,   sectile::flat_divide};
inline const split_family repetition{"product by mode",       sectile::logical_product, sectile::logical_product,
                                     sectile::zipped_product, sectile::tiled_product,   sectile::flat_product};

/// The logical form against the law of one mode (`law`), the other three against what is gathered from it.
template <class Law, class Justify>
std::optional<layout> check_split(case_state& state, const split_family& f, const layout& a, const tile_tree& t,
                                  Law law, Justify justify) {
  const auto r = attempt(
      state, f.name, [&] { return f.logical(a, t.value()); },
      [&](std::string_view text, grounds limit) {
        if (limit != grounds::rule) return limit;
        const auto why = justify_by_mode(a, t, f.one, justify);
        require(why.has_value(), "refused without need", f.name, a, t.value(), std::string(text));
        return *why;
      });
  if (!r) return r;
  check_by_mode(a, t, *r, false, [&](const layout& l, const layout& tile, const layout& got) {
    const std::optional<layout> alone = law(l, tile);
    require(alone && *alone == got, "by mode as alone", f.name, a, t.value(), *r);
  });
  const split_parts parts = gathered(a, t, f.one);
  const auto check_form = [&](auto form, const node& expected, const char* which) {
    const auto got = attempt(
        state, which, [&] { return form(a, t.value()); }, unless_limit([&](std::string_view why) {
          require(false, "a gathered form is refused", which, a, t.value(), std::string(why));
          return grounds::rule;
        }));
    require(!got || to_string(*got) == text(expected), "gathered", which, a, t.value(), text(expected));
  };
  check_form(f.zipped, tuple_of({parts.tile, parts.rest}), "zipped by mode");
  check_form(f.tiled, as_tiled(parts), "tiled by mode");
  check_form(f.flat, as_flat(parts), "flat by mode");
  return f.zipped(a, t.value());
}

inline std::optional<layout> check_divide_by_mode(case_state& state, const layout& a, const tile_tree& t) {
  return check_split(
      state, division, a, t, [&](const layout& l, const layout& tile) { return check_divide(state, l, tile); },
      [&](const layout& l, const layout& tile, const char* why, grounds limit) {
        return justify_divide(state, l, tile, why, limit);
      });
}

inline std::optional<layout> check_product_by_mode(case_state& state, const layout& a, const tile_tree& t) {
  return check_split(
      state, repetition, a, t, [&](const layout& l, const layout& tile) { return check_product(state, l, tile); },
      [&](const layout& l, const layout& tile, const char* why, grounds limit) {
        return justify_product(state, l, tile, why, limit);
      });
}

/// Block and grid side by side in each mode, in either order, from the logical product of the two.
inline std::optional<layout> check_grid_product(case_state& state, const layout& block, const layout& grid,
                                                bool raked) {
  std::vector<node> blocks = modes_of(tree_of(block));
  std::vector<node> grids = modes_of(tree_of(grid));
  const std::size_t rank = std::max(blocks.size(), grids.size());
  blocks.resize(rank, one());
  grids.resize(rank, one());
  const auto padded = [&](const layout& l) {
    const layout longer = sectile::append_to_rank(l, static_cast<int>(rank));
    return longer.form.open[0] > 0 ? longer : sectile::wrap(longer);
  };
  const char* name = raked ? "raked_product" : "blocked_product";
  const auto r = attempt(
      state, name, [&] { return raked ? sectile::raked_product(block, grid) : sectile::blocked_product(block, grid); },
      [&](std::string_view why, grounds limit) {
        return justify_product(state, padded(block), padded(grid), why, limit);
      });
  if (!r) return r;
  const std::optional<layout> both = check_product(state, padded(block), padded(grid));
  require(both.has_value(), "the product of the padded layouts exists", block, grid);
  const std::vector<node> times = modes_of(tree_of(*both).parts[1]);
  std::vector<node> modes;
  for (std::size_t i = 0; i < rank; ++i) {
    modes.push_back(raked ? tuple_of({times[i], blocks[i]}) : tuple_of({blocks[i], times[i]}));
  }
  require(to_string(*r) == text(tuple_of(modes)), name, block, grid, *r, text(tuple_of(modes)));
  return r;
}

}  // namespace sectile_fuzz
