// What needs no product. Softmax and norms of rows of any length: a work item is a block of whole rows; a first loop
// over their tiles reduces them, a second one, which finds what it loads in L2 unless rows are long, stores them. Tiles
// lie in registers as sums of a product do, 64 rows for a warpgroup: these are for matrices of many rows. And, tile by
// tile, a cast and a transpose.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// Blocks of 128 rows, of which two warpgroups have one half each; of 64 where there are too few rows for all SMs.
template <class T>
inline constexpr auto blocks_of_rows = configurations(
    configuration{.tile = {{"M", 128}, {"N", 2048 / element_of<T>().bits}}, .stages = 4, .persistent = true},
    configuration{.tile = {{"M", 64}, {"N", 2048 / element_of<T>().bits}}, .stages = 6, .consumers = 1});

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

/// Y = exp(X) / the sum of it along each row.
template <class T>
struct softmax {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", T>(), output<"Y(M,N)", T>());
  static constexpr auto how = blocks_of_rows<T>;

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.rows_of(Y);
    auto x = numbers_of_rows(sm, X, m, 0, -infinity);
    auto top = row_max(x);
    auto sum = row_sum(exp(x - top));
    for (auto j : sm.pipelined(tiles<"N">(X) - 1)) {
      x = numbers_of_rows(sm, X, m, j + 1, -infinity);
      const auto grown = max(top, row_max(x));
      sum = sum * exp(top - grown) + row_sum(exp(x - grown));
      top = grown;
    }
    const auto scale = reciprocal(sum);
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {m, j}, exp(cast<float>(in_registers(sm.load(X, {m, j}))) - top) * scale);
  }
};

/// Y = X / sqrt(mean of X^2 along each row + epsilon) * gamma.
template <class T>
struct rms_norm {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", T>(), input<"gamma(N)", T>(),
                                                     output<"Y(M,N)", T>(), scalar<"epsilon", float>());
  static constexpr auto how = blocks_of_rows<T>;

  static constexpr void body(auto& sm, auto X, auto gamma, auto Y, auto epsilon) {
    auto [m] = sm.rows_of(Y);
    auto x = cast<float>(in_registers(sm.load(X, {m, 0})));  // beyond the end there are zeros
    auto squares = row_sum(x * x);
    for (auto j : sm.pipelined(tiles<"N">(X) - 1)) {
      x = cast<float>(in_registers(sm.load(X, {m, j + 1})));
      squares += row_sum(x * x);
    }
    const auto scale = rsqrt(squares.total() / size<"N">(X) + epsilon);
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {m, j}, cast<float>(in_registers(sm.load(X, {m, j}))) * scale * sm.load(gamma, {j}));
  }
};

/// Y = (X - mean) / sqrt(variance + epsilon) * gamma + beta, both along each row. Sums are taken of the distances from
/// the first tile's mean, which is near the row's: its square would swallow the variance.
template <class T>
struct layer_norm {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", T>(), input<"gamma(N)", T>(), input<"beta(N)", T>(), output<"Y(M,N)", T>(),
                        scalar<"epsilon", float>());
  static constexpr auto how = blocks_of_rows<T>;

  static constexpr void body(auto& sm, auto X, auto gamma, auto beta, auto Y, auto epsilon) {
    auto [m] = sm.rows_of(Y);
    const auto columns = size<"N">(X);
    const auto first = row_sum(cast<float>(in_registers(sm.load(X, {m, 0}))));
    const auto near = first.total() / min(columns, extent<"N">(X));
    auto sum = first * 0.0f, squares = first * 0.0f;
    for (auto j : sm.pipelined(tiles<"N">(X))) {
      auto d = cast<float>(in_registers(sm.load(X, {m, j}))) - near;
      mask_beyond_rows(d, X, m, j, 0.0f);
      sum += row_sum(d);
      squares += row_sum(d * d);
    }
    const auto off = sum.total() / columns;
    const auto scale = rsqrt(squares.total() / columns - off * off + epsilon);
    for (auto j : sm.pipelined(tiles<"N">(Y))) {
      const auto x = cast<float>(in_registers(sm.load(X, {m, j})));
      sm.store(Y, {m, j}, (x - near - off) * scale * sm.load(gamma, {j}) + sm.load(beta, {j}));
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

/// Y = X^T, in any type of 16 or 32 bits.
template <class T>
struct transposed_copy {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", T>(), output<"Y(N,M)", T>());
  static constexpr configuration how{
      .tile = {{"M", 128}, {"N", 64}}, .stages = 4, .consumers = 1, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [n, m] = sm.tile_of(Y);
    sm.store(Y, {n, m}, in_registers(transpose(sm.load(X, {m, n}))));
  }
};

}  // namespace sectile::kernels
