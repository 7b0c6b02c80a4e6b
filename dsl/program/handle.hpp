// What a body gets for each operand, and the coordinates it names tiles with.
#pragma once
#include <concepts>
#include <utility>

#include <sectile/dsl/program/operand.hpp>

namespace sectile {

/// A tile's position in its operand, in tiles, one number per mode. Supports structured bindings.
template <int Rank>
struct tile_coordinates {
  int at[Rank]{};

  template <std::size_t I>
  friend constexpr int get(const tile_coordinates& c) {
    return c.at[I];
  }
};

/// A number for the mode `mode` of operand `operand`: where its name stands first among the declarations, the same for
/// all modes of one name. unnamed_mode: it has none.
inline constexpr int unnamed_mode = -1;
constexpr int mode_number(const operand_table& all, int operand, int mode) {
  const auto& name = all.at[operand].mode_name[mode];
  if (!name[0]) return unnamed_mode;
  for (int o = 0; o <= operand; ++o)
    for (int d = 0; d < all.at[o].tile.rank; ++d)
      if (same_name(all.at[o].mode_name[d], name)) return o * max_rank + d;
  return unnamed_mode;
}

/// One coordinate of the output tile that a body makes: a plain int for arithmetic, but load() and store() take it for
/// tiles along modes of its name only. A tile further on or back is along the same mode; what is multiplied or divided
/// counts something else, and is an int.
template <int Mode>
struct tile_index {
  int tile = 0;
  constexpr operator int() const { return tile; }
  template <std::integral Number>
  friend constexpr tile_index operator+(tile_index i, Number n) {
    return {i.tile + static_cast<int>(n)};
  }
  template <std::integral Number>
  friend constexpr tile_index operator+(Number n, tile_index i) {
    return i + n;
  }
  template <std::integral Number>
  friend constexpr tile_index operator-(tile_index i, Number n) {
    return {i.tile - static_cast<int>(n)};
  }
};
/// The mode that a number counts tiles along.
template <class X>
inline constexpr int mode_of = unnamed_mode;
template <int Mode>
inline constexpr int mode_of<tile_index<Mode>> = Mode;

/// Coordinates that know their modes, by their numbers. Supports structured bindings.
template <int... Modes>
struct tile_place : tile_coordinates<sizeof...(Modes)> {
  template <std::size_t I>
  constexpr std::tuple_element_t<I, tile_place> get() const {
    return {this->at[I]};
  }
};

inline constexpr int refused_range[1]{};
template <class X>
constexpr const int* no_range(const X&);  // says why there is no loop over X: see misuse.hpp

template <class X>
constexpr int no_mode(const X&);

/// A number of tiles along a mode of a tensor: at least 1, as every size is. A plain int for arithmetic, whose results
/// may be anything; a loop over all tiles of a mode is known to have a trip.
struct tile_number {
  int count = 0;
  constexpr operator int() const { return count; }
  template <class Self = tile_number>
  constexpr const int* begin() const {
    return no_range(static_cast<const Self&>(*this));
  }
  constexpr const int* end() const { return refused_range + 1; }
};

/// Operand I of kernel K as its body sees it: how large it is. The numbers are run-time values, the tile is not.
template <class K, int I>
struct operand_handle {
  static constexpr int rank = operand_facts_of<K, I>().tile.rank;
  int extent[rank]{};      // elements
  int tile_count[rank]{};  // tiles, rounded up

  /// Elements along a mode.
  constexpr int size(int mode) const { return extent[mode]; }
  /// Tiles along a mode; the last may hang over the edge (it is filled with zeros, and clipped when stored).
  constexpr tile_number tiles(int mode) const { return {tile_count[mode]}; }

  // What is no use of an operand, each with the sentence why.
  constexpr int size() const { return no_mode(*this); }
  constexpr tile_number tiles() const { return {no_mode(*this)}; }
  constexpr const int* begin() const { return no_range(*this); }
  constexpr const int* end() const { return refused_range + 1; }
};

/// What the body receives for operand I: a handle, or the number itself for a scalar.
template <class K, int I, operand_kind Kind = operand_at<K, I>::kind>
struct body_argument {
  using type = operand_handle<K, I>;
};
template <class K, int I>
struct body_argument<K, I, operand_kind::scalar> {
  using type = typename operand_at<K, I>::element_type;
};

}  // namespace sectile

template <int Rank>
struct std::tuple_size<sectile::tile_coordinates<Rank>> : std::integral_constant<std::size_t, Rank> {};
template <std::size_t I, int Rank>
struct std::tuple_element<I, sectile::tile_coordinates<Rank>> {
  using type = int;
};
template <int... Modes>
struct std::tuple_size<sectile::tile_place<Modes...>> : std::integral_constant<std::size_t, sizeof...(Modes)> {};
template <std::size_t I, int... Modes>
struct std::tuple_element<I, sectile::tile_place<Modes...>> {
  static constexpr int mode[sizeof...(Modes)] = {Modes...};
  using type = sectile::tile_index<mode[I]>;
};
