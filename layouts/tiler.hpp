#pragma once
// A tiler: what a layout is composed with or divided by, mode by mode. It is a layout, or _ ("leave this mode
// alone"), or a tuple of tilers: <4:2,_,<8,2:4>> acts on mode 0 with 4:2, leaves mode 1 alone, and so on. A shape
// (4,8) used as a tiler means <4:1,8:1>.

#include <sectile/layouts/modes.hpp>
#include <sectile/layouts/notation.hpp>

namespace sectile {

/// A nesting whose leaves are layouts or _.
struct tiler {
  nesting form;                 // one leaf per tile
  layout tiles;                 // the tiles side by side: mode k is tile k; 1:0 where the tile is _
  bool whole[max_leaves] = {};  // tile k is _

  constexpr tiler() : tiles(wrap(layout{})) {}
  constexpr tiler(const layout& tile) : tiles(wrap(tile)) {
    if (tile.form.leaves == 0) throw layout_error("a layout of rank 0 is no tile");
  }
  constexpr tiler(underscore) : tiles(wrap(layout{})), whole{true} {}
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  constexpr tiler(I extent) : tiler(layout_left(int_tuple(extent))) {}

  /// A shape: each leaf n is the tile n:1.
  constexpr tiler(const int_tuple& shape) : form(shape.form) {
    if (shape.form.leaves == 0) throw layout_error("the empty shape () is no tiler");
    layout joined = empty_tree<layout>();
    for (int k = 0; k < shape.form.leaves; ++k) {
      whole[k] = shape.leaf[k] == int_tuple::any;
      push_mode(joined, whole[k] ? layout{} : layout_left(shape.leaf[k]));
    }
    tiles = wrap(joined);
  }

  friend constexpr bool operator==(const tiler&, const tiler&) = default;
};

/// The number of tiles at the top level.
constexpr int rank(const tiler& t) { return rank(t.form); }

/// Whether it is <...>, not a lone layout or _.
constexpr bool is_tuple(const tiler& t) { return is_tuple(t.form); }

/// Part i of a tuple of tilers. Refuses i outside [0, rank).
constexpr tiler mode(const tiler& t, int i) {
  const leaf_range r = mode_leaves(t.form, i);
  int_tuple profile;
  profile.form = t.form;
  tiler result;
  result.form = is_tuple(t) ? leaves_of(profile, r).form : t.form;
  result.tiles = take(t.tiles, r.begin, r.end);
  for (int k = r.begin; k < r.end; ++k) result.whole[k - r.begin] = t.whole[k];
  return result;
}

/// A tuple of tilers in the making.
struct tiler_builder {
  int_tuple profile = empty_tree<int_tuple>();
  layout tiles = empty_tree<layout>();
  bool whole[max_leaves] = {};

  /// Adds one more part behind the others.
  constexpr void push(const tiler& part) {
    int_tuple part_profile;
    part_profile.form = part.form;
    for (int k = 0; k < part.form.leaves && profile.form.leaves + k < max_leaves; ++k) {
      whole[profile.form.leaves + k] = part.whole[k];
      push_mode(tiles, mode(part.tiles, k));
    }
    push_mode(profile, part_profile);
  }

  /// <the parts>. Refuses none.
  constexpr tiler finish() const {
    if (profile.form.leaves == 0) throw layout_error("a tiler needs at least one tile");
    tiler result;
    result.form = wrap(profile).form;
    result.tiles = wrap(tiles);
    for (int k = 0; k < max_leaves; ++k) result.whole[k] = whole[k];
    return result;
  }
};

/// The tuple <parts...> of layouts, extents, shapes, _ and tilers.
template <class... Parts>
constexpr tiler make_tiler(const Parts&... parts) {
  tiler_builder builder;
  (builder.push(tiler(parts)), ...);
  return builder.finish();
}

/// Prints as it is read: <4:2,_,8:1>.
constexpr void print(message& to, const tiler& t) {
  print_tree(
      to, t.form, [&](int k) { t.whole[k] ? to.add('_') : to.add(mode(t.tiles, k)); }, '<', '>');
}

/// _, a layout, or a bare shape (4,8), which is the shape by modes.
constexpr tiler read_tile(reader& in) {
  in.skip_spaces();
  const int start = in.position;
  const int_tuple alone = in.tuple(true);
  if (in.problem != nullptr) return {};
  if (in.peek() == ':' && !has_underscore(alone) && alone.form.leaves > 0) {
    in.position = start;
    return read_layout(in);
  }
  const char* problem = alone.form.leaves == 0 ? "a tile needs an extent" : nullptr;
  for (int k = 0; k < alone.form.leaves; ++k) {
    if (alone.leaf[k] < 1 && alone.leaf[k] != int_tuple::any) problem = "every extent must be at least 1";
  }
  if (problem == nullptr) return alone;
  in.position = start;
  in.fail(problem);
  return {};
}

/// <tiler,...>, or one tile.
constexpr tiler read_tiler(reader& in, int level = 0) {
  if (level > max_depth) in.fail("nested more than 100 deep");
  if (in.problem != nullptr) return {};
  if (!in.accept('<')) return read_tile(in);
  tiler_builder builder;
  do {
    const tiler part = read_tiler(in, level + 1);
    if (in.problem != nullptr) return {};
    if (builder.tiles.form.leaves + part.tiles.form.leaves > max_leaves) in.fail("more than 24 leaves");
    if (in.problem == nullptr) builder.push(part);
  } while (in.accept(','));
  if (!in.accept('>')) in.fail("expected ',' or '>'");
  return in.problem == nullptr ? builder.finish() : tiler{};
}

/// Reads "<4:2,_,(2,4)>".
constexpr parsed<tiler> try_parse_tiler(const char* text, std::size_t length) {
  return read_whole(text, length, [](reader& in) { return read_tiler(in); });
}

namespace literals {

/// "<4:2,_>"_tiler
#if defined(__clang__)
constexpr tiler operator""_tiler(const char* text, std::size_t length) {
  const auto read = try_parse_tiler(text, length);
  return read ? read.value : refused_text<tiler>(read.position, read.problem, text, length);
}
#else
template <literal_text Text>
constexpr tiler operator""_tiler() {
  return literal_value<try_parse_tiler, Text>::read.value;
}
#endif

}  // namespace literals

}  // namespace sectile
