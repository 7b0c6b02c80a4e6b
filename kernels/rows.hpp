// What needs no product. Softmax and norms of rows of any length, in two ways. Where a tile is wide enough for a row,
// memory is read once. Of longer rows a first loop over their tiles, from the last one to the first, reduces them, and
// a second one the other way stores them: it begins with what L2 saw last, and finds there as much as L2 keeps of the
// rows that all SMs are at work on. Registers hold the transpose: a warpgroup shares out the columns of 8 rows and
// more, so that few rows are at work at a time. And, tile by tile, casts and a transpose.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// The ways of a body: by tiles as wide as rows, or in loops over their tiles.
inline constexpr int by_wide_tiles = 0, in_loops = 1;

/// Tiles of so many rows, each of `width` bytes. Of those that have whole rows fewer stages than would fit: what is
/// loaded further ahead than memory needs costs up to a tenth of its bandwidth (docs/design/rows.md). So do stores that
/// come in bursts: a member has as many output buffers as were the fastest.
template <class T>
constexpr configuration tiles_of_rows(int way, int rows, int width, int stages, int consumers) {
  return {.tile = {{"M", rows}, {"N", 8 * width / element_of<T>().bits}},
          .stages = stages,
          .consumers = consumers,
          .persistent = true,
          .swap = true,
          .variant = way};
}
template <class T>
inline constexpr bool of_16_bits = element_of<T>().bits == 16;
/// As wide as rows of up to 2 KiB and 8 KiB. (Some are there twice: the first draws its tiles, and a launch takes it if
/// it is given a workspace, of a few bytes.)
template <class T>
inline constexpr configuration narrow_tiles =
    of_16_bits<T> ? tiles_of_rows<T>(by_wide_tiles, 8, 2048, 3, 2).with_own_tiles()
                  : tiles_of_rows<T>(by_wide_tiles, 16, 2048, 3, 2);
template <class T>
inline constexpr configuration widest_tiles = tiles_of_rows<T>(by_wide_tiles, 8, 8192, 2, 2);
/// Of short rows, which leave most of a wide tile empty, 64 at a time.
template <class T>
inline constexpr configuration rows_upright{.tile = {{"M", 64}, {"N", 2048 / element_of<T>().bits}},
                                            .stages = 6,
                                            .consumers = 1,
                                            .persistent = true,
                                            .variant = in_loops};

/// x, made of tile j of the rows, becomes `outside` where the last tile hangs over their end.
template <class Fragment, class X, class M, class J>
constexpr void mask_beyond_rows(Fragment& x, const X& from, const M& m, const J& j, float outside) {
  const auto columns = size<"N">(from);
  mask(
      x, {m, j}, (j + 1) * extent<"N">(from) > columns, [=](int, int col) { return col < columns; }, outside);
}
/// Tile j of the rows, as numbers.
template <class Sm, class X, class M, class J>
constexpr auto numbers_of_rows(Sm& sm, const X& from, const M& m, const J& j, float outside) {
  auto x = cast<float>(in_registers(sm.load(from, {m, j})));
  mask_beyond_rows(x, from, m, j, outside);
  return x;
}

/// A vector, ahead of the tile that it meets: in registers, unless f32 has them full.
template <class T>
constexpr auto ahead(const auto& vector) {
  if constexpr (of_16_bits<T>)
    return in_registers(vector);
  else
    return vector;
}
/// One of two vectors, which fit beside a tile of up to 1,024 columns where three consumers share the registers.
template <class T, class X, class Vector>
constexpr auto ahead_of_narrow(const X&, const Vector& vector) {
  if constexpr (extent<"N">(X()) <= 1024 && configuration_of<typename Vector::reading_type::kernel>.consumers <= 3)
    return ahead<T>(vector);
  else
    return vector;
}
/// exp(x) for results that are rounded to T: what one multiplication loses of it shows in f32 alone.
template <class T, class X>
constexpr auto exponential(const X& x) {
  if constexpr (std::is_same_v<T, float>)
    return exp(x);
  else
    return exp2(x * 1.44269502f);  // log2(e)
}

/// Y = exp(X) / the sum of it along each row.
template <class T>
struct softmax {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", T>(), output<"Y(M,N)", T>());
  static constexpr auto how = configurations(
      tiles_of_rows<T>(in_loops, 8, 4096, 5, 2), narrow_tiles<T>.with_output_buffers(8),
      of_16_bits<T> ? narrow_tiles<T>.with_cluster({1, 2})
                    : tiles_of_rows<T>(by_wide_tiles, 8, 4096, 2, 4).with_output_buffers(8),
      widest_tiles<T>.with_output_buffers(8), rows_upright<T>);
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto X, auto Y) {
    if constexpr (variant_of<decltype(sm)> == by_wide_tiles) {
      auto [m, n] = sm.wide_tile_of(Y);
      auto x = numbers_of_rows(sm, X, m, n, -infinity);
      x = exponential<T>(x - row_max(x));
      sm.store(Y, {m, n}, x * reciprocal(row_sum(x)));
    } else {
      in_loops_of(sm, X, Y);
    }
  }

  static constexpr void in_loops_of(auto& sm, auto X, auto Y) {
    auto [m] = sm.rows_of(Y);
    const auto last = tiles<"N">(X) - 1;
    auto x = numbers_of_rows(sm, X, m, last, -infinity);
    auto top = unfinished_row_max(x);
    auto sum = row_sum(exponential<T>(x - top.share));
    for (auto j : sm.pipelined(last)) {
      x = numbers_of_rows(sm, X, m, last - 1 - j, -infinity);
      const auto grown = max(top, unfinished_row_max(x));
      sum = sum * exponential<T>(top.share - grown.share) + row_sum(exponential<T>(x - grown.share));
      top = grown;
    }
    const auto most = top.total();
    const auto scale = reciprocal(sum * exponential<T>(top.share - most));
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {m, j}, exponential<T>(cast<float>(in_registers(sm.load(X, {m, j}))) - most) * scale);
  }
};

/// Y = X / sqrt(mean of X^2 along each row + epsilon) * gamma.
template <class T>
struct rms_norm {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", T>(), input<"gamma(N)", T>(),
                                                     output<"Y(M,N)", T>(), scalar<"epsilon", float>());
  static constexpr auto how = [] {
    constexpr configuration medium = tiles_of_rows<T>(by_wide_tiles, 16, 4096, 2, 4).with_output_buffers(4);
    if constexpr (of_16_bits<T>)
      return configurations(tiles_of_rows<T>(in_loops, 8, 4096, 6, 4), narrow_tiles<T>.with_output_buffers(8),
                            narrow_tiles<T>.with_cluster({1, 2}), widest_tiles<T>, rows_upright<T>);
    else
      return configurations(tiles_of_rows<T>(in_loops, 8, 4096, 6, 4), narrow_tiles<T>, medium.with_drawn_tiles(), medium,
                            widest_tiles<T>, rows_upright<T>);
  }();
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto X, auto gamma, auto Y, auto epsilon) {
    if constexpr (variant_of<decltype(sm)> == by_wide_tiles) {
      auto [m, n] = sm.wide_tile_of(Y);
      const auto g = ahead<T>(sm.load(gamma, {n}));
      const auto x = cast<float>(in_registers(sm.load(X, {m, n})));  // beyond the end there are zeros
      const auto scale = rsqrt(fma(row_sum(x * x).total(), 1.0f / size<"N">(X), epsilon));
      sm.store(Y, {m, n}, x * scale * g);
    } else {
      in_loops_of(sm, X, gamma, Y, epsilon);
    }
  }

  static constexpr void in_loops_of(auto& sm, auto X, auto gamma, auto Y, auto epsilon) {
    auto [m] = sm.rows_of(Y);
    const auto last = tiles<"N">(X) - 1;
    auto x = cast<float>(in_registers(sm.load(X, {m, last})));  // beyond the end there are zeros
    auto squares = row_sum(x * x);
    for (auto j : sm.pipelined(last)) {
      x = cast<float>(in_registers(sm.load(X, {m, last - 1 - j})));
      squares += row_sum(x * x);
    }
    const auto scale = rsqrt(fma(squares.total(), 1.0f / size<"N">(X), epsilon));
    for (auto j : sm.pipelined(tiles<"N">(Y))) {
      const auto g = ahead<T>(sm.load(gamma, {j}));
      sm.store(Y, {m, j}, cast<float>(in_registers(sm.load(X, {m, j}))) * scale * g);
    }
  }
};

/// Y = (X - mean) / sqrt(variance + epsilon) * gamma + beta, both along each row. In loops sums are taken of the
/// distances from the first tile's mean, which is near the row's: its square would swallow the variance.
template <class T>
struct layer_norm {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", T>(), input<"gamma(N)", T>(), input<"beta(N)", T>(), output<"Y(M,N)", T>(),
                        scalar<"epsilon", float>());
  static constexpr auto how = [] {
    constexpr configuration widest = widest_tiles<T>.with_output_buffers(16);
    if constexpr (of_16_bits<T>)
      return configurations(tiles_of_rows<T>(in_loops, 16, 2048, 6, 4),
                            tiles_of_rows<T>(by_wide_tiles, 8, 2048, 4, 3).with_own_tiles(),
                            tiles_of_rows<T>(by_wide_tiles, 8, 2048, 4, 4).with_own_tiles().with_cluster({1, 2}),
                            widest.with_drawn_tiles(), widest, rows_upright<T>);
    else
      return configurations(tiles_of_rows<T>(in_loops, 8, 4096, 6, 4).with_output_buffers(4), narrow_tiles<T>,
                            tiles_of_rows<T>(by_wide_tiles, 8, 4096, 2, 2).with_output_buffers(8),
                            widest_tiles<T>.with_output_buffers(8), rows_upright<T>);
  }();
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto X, auto gamma, auto beta, auto Y, auto epsilon) {
    if constexpr (variant_of<decltype(sm)> == by_wide_tiles) {
      auto [m, n] = sm.wide_tile_of(Y);
      const auto g = ahead_of_narrow<T>(X, sm.load(gamma, {n}));
      const auto b = ahead_of_narrow<T>(X, sm.load(beta, {n}));
      const auto part = 1.0f / size<"N">(X);
      auto x = cast<float>(in_registers(sm.load(X, {m, n})));
      x -= row_sum(x).total() * part;
      mask_beyond_rows(x, X, m, n, 0.0f);
      const auto scale = rsqrt(fma(row_sum(x * x).total(), part, epsilon));
      sm.store(Y, {m, n}, fma(x * scale, g, b));
    } else {
      in_loops_of(sm, X, gamma, beta, Y, epsilon);
    }
  }

  static constexpr void in_loops_of(auto& sm, auto X, auto gamma, auto beta, auto Y, auto epsilon) {
    auto [m] = sm.rows_of(Y);
    const auto columns = size<"N">(X);
    const auto first = row_sum(cast<float>(in_registers(sm.load(X, {m, 0}))));
    const auto near = first.total() / min(columns, extent<"N">(X));
    auto sum = first * 0.0f, squares = first * 0.0f;
    for (auto j : sm.pipelined(tiles<"N">(X))) {
      const auto i = tiles<"N">(X) - 1 - j;
      auto d = cast<float>(in_registers(sm.load(X, {m, i}))) - near;
      mask_beyond_rows(d, X, m, i, 0.0f);
      sum += row_sum(d);
      squares += row_sum(d * d);
    }
    const auto part = 1.0f / columns;
    const auto off = sum.total() * part;
    const auto scale = rsqrt(squares.total() * part - off * off + epsilon);
    for (auto j : sm.pipelined(tiles<"N">(Y))) {
      const auto x = cast<float>(in_registers(sm.load(X, {m, j})));
      sm.store(Y, {m, j}, fma((x - near - off) * scale, sm.load(gamma, {j}), sm.load(beta, {j})));
    }
  }
};

/// Y = X * scale in another type, and the largest magnitude in X: from that the next scale is chosen.
template <class T, class Out>
struct cast_amax {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", T>(), input<"scale", float>(),
                                                     output<"Y(M,N)", Out>(), output<"amax", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 128}}, .stages = 4, .consumers = 1, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto scale, auto Y, auto amax) {
    auto [m, n] = sm.tile_of(Y);
    const auto x = cast<float>(in_registers(sm.load(X, {m, n})));
    sm.combine(amax, {}, abs(x), reduction::max);
    sm.store(Y, {m, n}, x * sm.load(scale, {}));
  }
};

/// Q = X / S in 8 bits, where S(KB,M) has for each row of a block of 128 columns the largest magnitude in it over the
/// largest that Out holds: what a product with block scales takes for A. Of a row of zeros S is the least number that
/// has a reciprocal.
template <class T, class Out>
struct quantized_blocks {
  static constexpr auto operands =
      sectile::operands(input<"X(M,K)", T>(), output<"Q(M,K)", Out>(), vector_output<"S(KB,M)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"K", 128}}, .stages = 4, .consumers = 1, .persistent = true};
  static constexpr float largest = static_cast<float>(Out(infinity));

  static constexpr void body(auto& sm, auto X, auto Q, auto S) {
    auto [m, k] = sm.tile_of(Q);
    const auto x = cast<float>(in_registers(sm.load(X, {m, k})));
    const auto scale = max(row_max(abs(x)) / largest, 0x1p-126F);
    sm.store(S, {as<"KB">(k), m}, scale);
    sm.store(Q, {m, k}, x * reciprocal(scale));
  }
};

/// Y = X^T, in any type of 16 or 32 bits. (Of 8 bits, head by head: turned_values.hpp.)
template <class T>
struct transposed_copy {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", T>(), output<"Y(N,M)", T>());
  static constexpr configuration how = of_16_bits<T> ? configuration{.tile = {{"M", 128}, {"N", 128}},
                                                                     .stages = 3,
                                                                     .consumers = 1,
                                                                     .persistent = true}
                                                     : configuration{.tile = {{"M", 64}, {"N", 64}},
                                                                     .stages = 6,
                                                                     .consumers = 1,
                                                                     .persistent = true,
                                                                     .swap = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [n, m] = sm.tile_of(Y);
    sm.store(Y, {n, m}, in_registers(transpose(sm.load(X, {m, n}))));
  }
};

}  // namespace sectile::kernels
