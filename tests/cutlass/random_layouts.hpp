// Random layouts as constants, so that they can be CuTe's types as well: number n of a kind is the same everywhere.
#pragma once

#include <cstdint>
#include <sectile/layouts.hpp>

namespace witness {

using namespace sectile;
using namespace sectile::literals;

/// SplitMix64, at compile time.
struct chance {
  std::uint64_t state;

  constexpr std::uint64_t next() {
    std::uint64_t z = state += 0x9E37'79B9'7F4A'7C15u;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9u;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EBu;
    return z ^ z >> 31;
  }
  constexpr int below(int n) { return static_cast<int>(next() % static_cast<unsigned>(n)); }
};

/// 1 to 4 leaves: compact in some order, with gaps, with any strides, with one of 0. Nested once at times.
constexpr layout random_layout(int number) {
  chance draw{static_cast<std::uint64_t>(number) * 7919 + 17};
  constexpr int extents[] = {1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8};
  const int modes = 1 + draw.below(4), kind = draw.below(6);
  int extent[4] = {}, stride[4] = {}, order[4] = {0, 1, 2, 3};
  for (int k = 0, size = 1; k < modes; ++k) {
    extent[k] = extents[draw.below(11)];
    if (size * extent[k] > 64) extent[k] = 1;
    size *= extent[k];
  }
  for (int k = modes - 1; k > 0; --k) {
    const int other = draw.below(k + 1), moved = order[k];
    order[k] = order[other];
    order[other] = moved;
  }
  for (int k = 0, step = 1; k < modes; ++k) {
    if (kind == 1) step *= 1 + draw.below(3);
    stride[order[k]] = kind < 3 ? step : draw.below(kind == 3 ? 25 : 9);
    step *= extent[order[k]];
  }
  if (kind == 2) stride[draw.below(modes)] = 0;
  layout flat = empty_tree<layout>();
  for (int k = 0; k < modes; ++k) push_mode(flat, make_layout(extent[k], stride[k]));
  if (modes == 1) return draw.below(4) == 0 ? wrap(flat) : flat;
  flat = wrap(flat);
  return modes > 2 && draw.below(2) == 0 ? group(flat, draw.below(2), modes) : flat;
}

/// A tile of 1 or 2 modes that may pick elements out of `size`.
constexpr layout random_tile(int number, std::int64_t size) {
  chance draw{static_cast<std::uint64_t>(number) * 104729 + 5};
  const auto factor = [&draw](std::int64_t of) {
    std::int64_t f = 1 + draw.below(8);
    while (of % f != 0) --f;
    return f;
  };
  layout tile = empty_tree<layout>();
  std::int64_t step = 1;
  const int modes = 1 + draw.below(2);
  for (int k = 0; k < modes; ++k) {
    if (draw.below(2) == 0) step *= factor(size / step > 0 ? size / step : 1);
    const std::int64_t extent = factor(size / step > 0 ? size / step : 1);
    push_mode(tile, make_layout(extent, step));
    step *= extent;
  }
  return modes == 1 ? tile : wrap(tile);
}

}  // namespace witness
