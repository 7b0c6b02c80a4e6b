#pragma once
// The shared tiles of a kernel that is written with ThunderKittens, as values of layouts/. Nothing of it is included:
// what is asked of a tile is what kittens::st offers.
//
//   st::from_kittens<kittens::st_bf<128, 64>>()    (row, column) -> offset in elements, behind the tile's swizzle

#include <concepts>

#include <sectile/layouts/swizzled_algebra.hpp>

namespace sectile {

namespace adapt {

/// kittens::st<T, rows, cols>
template <class Tile>
concept kittens_tile = requires {
  typename Tile::dtype;
  { Tile::rows } -> std::convertible_to<int>;
  { Tile::cols } -> std::convertible_to<int>;
  { Tile::swizzle_bytes } -> std::convertible_to<int>;
};

/// Whether the tile is swizzled: newer tiles say so, older ones always are.
template <kittens_tile Tile>
constexpr bool kittens_swizzles() {
  if constexpr (requires { static_cast<bool>(Tile::swizzle); })
    return static_cast<bool>(Tile::swizzle);
  else
    return Tile::swizzle_bytes > 0;
}

}  // namespace adapt

/// Panels of swizzle_bytes bytes of each row, one behind the other; a tile without a swizzle is row-major.
/// Refuses columns that are not whole panels.
template <adapt::kittens_tile Tile>
constexpr swizzled_layout from_kittens() {
  constexpr int bits = 8 * static_cast<int>(sizeof(typename Tile::dtype)), rows = Tile::rows, columns = Tile::cols;
  if constexpr (!adapt::kittens_swizzles<Tile>()) {
    return with_swizzle(make_layout(make_shape(rows, columns), make_stride(columns, 1)), {});
  } else {
    constexpr int bytes = Tile::swizzle_bytes, width = bytes * 8 / bits;
    static_assert(bytes == 32 || bytes == 64 || bytes == 128, "TMA and wgmma swizzle spans of 32, 64 or 128 bytes");
    static_assert(columns % width == 0, "the columns of the tile are not whole spans of its swizzle");
    constexpr swizzle_mode mode = bytes == 32   ? swizzle_mode::b32
                                  : bytes == 64 ? swizzle_mode::b64
                                                : swizzle_mode::b128;
    const layout panels = make_layout(make_shape(rows, make_shape(width, columns / width)),
                                      make_stride(width, make_stride(1, rows * width)));
    return with_swizzle(panels, recast(byte_swizzle(mode), 8, bits));
  }
}

}  // namespace sectile
