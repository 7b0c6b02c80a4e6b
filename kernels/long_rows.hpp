// Softmax and norms of rows that are longer than a tile is wide. A row of 8 N elements lies in memory like a matrix of
// 8 x N: given so, a tile holds all of it, or the tiles of a cluster do, and its numbers come from memory once. A CTA
// walks many rows, and what is the same for all of them (gamma and beta) stays in its shared memory. Rows that no
// cluster holds are read twice, in loops; since a CTA is at work on one row, and not on 8, L2 keeps it for the second
// time. `folded(view, 8)` gives a matrix so.
#pragma once
#include <sectile/kernels/rows.hpp>

namespace sectile::kernels {

/// Tiles of a row each, or of a CTA's part of it, in eight parts of `width` bytes. How many of them are under way at a
/// time, and how many output buffers are best, hangs on memory more than on arithmetic: the numbers below have won
/// races on an H200.
template <class T>
constexpr configuration tile_of_row(int way, int width, int stages, int consumers) {
  configuration c = tiles_of_rows<T>(way, 8, width, stages, consumers);
  c.tile = {{"P", 8}, {"N", 8 * width / element_of<T>().bits}};
  return c;
}

/// Elements of the longest row that a member of P has in a tile: of a longer one gamma and beta cannot stay.
template <class P>
inline constexpr int longest_row = [] {
  int most = 0;
  for (const configuration& c : P::how.at) {
    const int elements = 8 * c.tile.of(mode_named("N")) * c.cluster.cols;
    if (c.variant == by_wide_tiles && elements > most) most = elements;
  }
  return most;
}();

/// x, made of tile j of row m, becomes `outside` where parts end within the tile.
template <class Fragment, class X, class M, class J>
constexpr void mask_beyond_parts(Fragment& x, const X& from, const M& m, const J& j, float outside) {
  const auto parts = size<"P">(from);
  const auto columns = size<"N">(from);
  mask(
      x, {m, 0, j}, parts < extent<"P">(from) || (j + 1) * extent<"N">(from) > columns,
      [=](int part, int col) { return part < parts && col < columns; }, outside);
}
/// Tile j of row m, as numbers.
template <class Sm, class X, class M, class J>
constexpr auto numbers_of_row(Sm& sm, const X& from, const M& m, const J& j, float outside) {
  auto x = cast<float>(in_registers(sm.load(from, {m, 0, j})));
  mask_beyond_parts(x, from, m, j, outside);
  return x;
}
/// One over the elements of a row.
template <class X>
constexpr auto share_of_row(const X& x) {
  return 1.0f / (size<"P">(x) * size<"N">(x));
}

/// Y = exp(X) / the sum of it along each row.
template <class T>
struct long_softmax {
  static constexpr auto operands = sectile::operands(input<"X(M,P,N)", T>(), output<"Y(M,P,N)", T>());
  static constexpr auto how = [] {
    if constexpr (of_16_bits<T>)
      return configurations(tile_of_row<T>(in_loops, 4096, 5, 4),
                            tile_of_row<T>(by_wide_tiles, 2048, 3, 2).with_own_tiles().with_output_buffers(8),
                            tile_of_row<T>(by_wide_tiles, 2048, 3, 3)
                                .with_own_tiles()
                                .with_cluster({1, 2})
                                .with_output_buffers(8),
                            tile_of_row<T>(by_wide_tiles, 2048, 4, 4).with_own_tiles().with_cluster({1, 4}),
                            tile_of_row<T>(by_wide_tiles, 4096, 2, 3).with_own_tiles().with_cluster({1, 4}),
                            tile_of_row<T>(by_wide_tiles, 1024, 6, 6).with_own_tiles());
    else
      return configurations(tile_of_row<T>(in_loops, 4096, 5, 2),
                            tile_of_row<T>(by_wide_tiles, 2048, 3, 2).with_own_tiles().with_output_buffers(8),
                            tile_of_row<T>(by_wide_tiles, 4096, 2, 2).with_output_buffers(8),
                            tile_of_row<T>(by_wide_tiles, 8192, 2, 2).with_output_buffers(8),
                            tile_of_row<T>(by_wide_tiles, 4096, 3, 3).with_own_tiles().with_cluster({1, 4}),
                            tile_of_row<T>(by_wide_tiles, 4096, 2, 3).with_own_tiles().with_cluster({1, 8}),
                            tile_of_row<T>(by_wide_tiles, 1024, 6, 6).with_own_tiles());
  }();
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto X, auto Y) {
    if constexpr (variant_of<decltype(sm)> == by_wide_tiles) {
      auto [m, n] = sm.wide_block_of(Y);
      auto x = numbers_of_row(sm, X, m, n, -infinity);
      x = exponential<T>(x - col_max(unfinished_row_max(x)));
      sm.store(Y, {m, 0, n}, x * reciprocal(col_sum(row_sum(x))));
    } else {
      auto [m] = sm.block_of(Y);
      const auto last = tiles<"N">(X) - 1;
      auto x = numbers_of_row(sm, X, m, last, -infinity);
      auto top = unfinished_row_max(x);
      auto sum = row_sum(exponential<T>(x - top.share));
      for (auto j : sm.pipelined(last)) {
        x = numbers_of_row(sm, X, m, last - 1 - j, -infinity);
        const auto grown = max(top, unfinished_row_max(x));
        sum = sum * exponential<T>(top.share - grown.share) + row_sum(exponential<T>(x - grown.share));
        top = grown;
      }
      const auto most = col_max(top.total());
      const auto scale = reciprocal(col_sum(sum * exponential<T>(top.share - most)));
      for (auto j : sm.pipelined(tiles<"N">(Y)))
        sm.store(Y, {m, 0, j}, exponential<T>(cast<float>(in_registers(sm.load(X, {m, 0, j}))) - most) * scale);
    }
  }
};

/// Y = X / sqrt(mean of X^2 along each row + epsilon) * gamma.
template <class T>
struct long_rms_norm {
  static constexpr auto operands = sectile::operands(input<"X(M,P,N)", T>(), input<"gamma(P,N)", T>(),
                                                     output<"Y(M,P,N)", T>(), scalar<"epsilon", float>());
  static constexpr auto how = [] {
    if constexpr (of_16_bits<T>)
      return configurations(tile_of_row<T>(in_loops, 2048, 6, 2),
                            tile_of_row<T>(by_wide_tiles, 2048, 3, 4).with_own_tiles().with_output_buffers(8),
                            tile_of_row<T>(by_wide_tiles, 2048, 3, 4).with_own_tiles().with_cluster({1, 2}),
                            tile_of_row<T>(by_wide_tiles, 2048, 4, 4).with_own_tiles().with_cluster({1, 4}),
                            tile_of_row<T>(by_wide_tiles, 4096, 2, 2).with_own_tiles().with_cluster({1, 4}),
                            tile_of_row<T>(by_wide_tiles, 1024, 6, 6).with_own_tiles());
    else
      return configurations(tile_of_row<T>(in_loops, 2048, 6, 2),
                            tile_of_row<T>(by_wide_tiles, 2048, 3, 2).with_own_tiles().with_output_buffers(4),
                            tile_of_row<T>(by_wide_tiles, 4096, 3, 2).with_output_buffers(4),
                            tile_of_row<T>(by_wide_tiles, 8192, 2, 2).with_output_buffers(4),
                            tile_of_row<T>(by_wide_tiles, 4096, 4, 2).with_own_tiles().with_cluster({1, 4}),
                            tile_of_row<T>(by_wide_tiles, 4096, 3, 3).with_own_tiles().with_cluster({1, 8}));
  }();
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto X, auto gamma, auto Y, auto epsilon) {
    if constexpr (variant_of<decltype(sm)> == by_wide_tiles) {
      auto [m, n] = sm.wide_block_of(Y);
      const auto held = in_registers(sm.load(X, {m, 0, n}));  // beyond the end there are zeros
      const auto x = cast<float>(held);
      const auto scale = rsqrt(fma(col_sum(row_sum(x * x)), share_of_row(X), epsilon));
      const auto g = cast<float>(in_registers(sm.load(gamma, {0, n})));
      sm.store(Y, {m, 0, n}, cast<float>(held) * scale * g);
    } else {
      auto [m] = sm.block_of(Y);
      const auto last = tiles<"N">(X) - 1;
      auto x = cast<float>(in_registers(sm.load(X, {m, 0, last})));  // beyond the end there are zeros
      auto squares = row_sum(x * x);
      for (auto j : sm.pipelined(last)) {
        x = cast<float>(in_registers(sm.load(X, {m, 0, last - 1 - j})));
        squares += row_sum(x * x);
      }
      const auto scale = rsqrt(fma(col_sum(squares), share_of_row(X), epsilon));
      for (auto j : sm.pipelined(tiles<"N">(Y))) {
        const auto g = cast<float>(in_registers(sm.load(gamma, {0, j})));
        sm.store(Y, {m, 0, j}, cast<float>(in_registers(sm.load(X, {m, 0, j}))) * scale * g);
      }
    }
  }
};

/// Y = (X - mean) / sqrt(variance + epsilon) * gamma + beta, both along each row. In loops sums are taken of the
/// distances from a mean of one tile, as in layer_norm.
template <class T>
struct long_layer_norm {
  static constexpr auto operands =
      sectile::operands(input<"X(M,P,N)", T>(), input<"gamma(P,N)", T>(), input<"beta(P,N)", T>(),
                        output<"Y(M,P,N)", T>(), scalar<"epsilon", float>());
  static constexpr auto how = [] {
    if constexpr (of_16_bits<T>)
      return configurations(tile_of_row<T>(in_loops, 2048, 2, 2),
                            tile_of_row<T>(by_wide_tiles, 2048, 3, 4).with_own_tiles(),
                            tile_of_row<T>(by_wide_tiles, 2048, 3, 3).with_own_tiles().with_cluster({1, 2}),
                            tile_of_row<T>(by_wide_tiles, 4096, 2, 2).with_own_tiles().with_cluster({1, 4}));
    else
      return configurations(
          tile_of_row<T>(in_loops, 2048, 2, 2),
          tile_of_row<T>(by_wide_tiles, 2048, 3, 2).with_own_tiles().with_output_buffers(8),
          tile_of_row<T>(by_wide_tiles, 2048, 3, 3).with_own_tiles().with_cluster({1, 2}).with_output_buffers(4),
          tile_of_row<T>(by_wide_tiles, 2048, 4, 3).with_own_tiles().with_cluster({1, 4}),
          tile_of_row<T>(by_wide_tiles, 4096, 2, 3).with_own_tiles().with_cluster({1, 4}).with_output_buffers(16),
          tile_of_row<T>(by_wide_tiles, 4096, 2, 3).with_own_tiles().with_cluster({1, 8}).with_output_buffers(16));
  }();
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto X, auto gamma, auto beta, auto Y, auto epsilon) {
    if constexpr (variant_of<decltype(sm)> == by_wide_tiles) {
      auto [m, n] = sm.wide_block_of(Y);
      auto x = cast<float>(in_registers(sm.load(X, {m, 0, n})));  // beyond the end there are zeros
      const auto [off, variance] = center(x, size<"P">(X), size<"N">(X));
      const auto scale = rsqrt(variance + epsilon);
      x = fma(x, scale, -off * scale);
      sm.store(Y, {m, 0, n}, fma(x, sm.load(gamma, {0, n}), sm.load(beta, {0, n})));
    } else {
      auto [m] = sm.block_of(Y);
      const auto last = tiles<"N">(X) - 1;
      const auto first = row_sum(cast<float>(in_registers(sm.load(X, {m, 0, 0}))));
      const auto near = col_sum(first) / (min(size<"N">(X), extent<"N">(X)) * size<"P">(X));
      auto sum = first * 0.0f, squares = first * 0.0f;
      for (auto j : sm.pipelined(tiles<"N">(X))) {
        auto d = cast<float>(in_registers(sm.load(X, {m, 0, last - j}))) - near;
        mask_beyond_parts(d, X, m, last - j, 0.0f);
        sum += row_sum(d);
        squares += row_sum(d * d);
      }
      const auto part = share_of_row(X);
      const auto off = col_sum(sum) * part;
      const auto scale = rsqrt(col_sum(squares) * part - off * off + epsilon);
      for (auto j : sm.pipelined(tiles<"N">(Y))) {
        const auto x = cast<float>(in_registers(sm.load(X, {m, 0, j})));
        const auto g = cast<float>(in_registers(sm.load(gamma, {0, j})));
        const auto b = cast<float>(in_registers(sm.load(beta, {0, j})));
        sm.store(Y, {m, 0, j}, fma((x - near - off) * scale, g, b));
      }
    }
  }
};

}  // namespace sectile::kernels
