// Kernels that store no matrix: their work is divided by the tiles of the first matrix that they read.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::test {

/// The sum of each row, of any length.
template <int Consumers, configuration More = configuration{}>
struct row_sums {
  static constexpr auto operands = sectile::operands(input<"X(B,M,N)", bf16>(), vector_output<"sums(B,M)", float>());
  static constexpr configuration how = [] {
    configuration c = More.with_tile({{"M", 64 * Consumers}, {"N", 64}});
    c.consumers = Consumers;
    return c;
  }();

  static constexpr void body(auto& sm, auto X, auto sums) {
    auto [b, m] = sm.rows_of(X);
    auto sum = row_sum(cast<float>(in_registers(sm.load(X, {b, m, 0}))));
    for (auto j : sm.pipelined(tiles<"N">(X) - 1)) sum += row_sum(cast<float>(in_registers(sm.load(X, {b, m, j + 1}))));
    sm.store(sums, {b, m}, sum.total());
  }
};

/// The largest magnitude of all, of each row and of each column, which tiles beside each other share.
template <configuration How>
struct largest {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"most", float>(),
                                                     output<"rows(M)", float>(), output<"cols(N)", float>());
  static constexpr configuration how = How.with_tile({{"M", 128}, {"N", 64}});

  static constexpr void body(auto& sm, auto X, auto most, auto rows, auto cols) {
    auto [m, n] = sm.tile_of(X);
    const auto x = abs(cast<float>(in_registers(sm.load(X, {m, n}))));
    sm.combine(most, {}, x, reduction::max);
    sm.combine(rows, {m}, x, reduction::max);
    sm.combine(cols, {n}, x, reduction::max);
  }
};

/// log(sum of exp) of rows that one tile holds.
struct log_sum_exp {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"lse(M)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}}, .stages = 2};

  static constexpr void body(auto& sm, auto X, auto lse) {
    auto [m, n] = sm.wide_tile_of(X);
    const auto length = size<"N">(X);
    auto x = cast<float>(in_registers(sm.load(X, {m, n})));
    mask(
        x, {m, n}, [=](int, int col) { return col < length; }, -infinity);
    const auto top = row_max(x);
    sm.store(lse, {m}, top + log(row_sum(exp(x - top)).total()));
  }
};

/// For each row of X the row of C that is nearest: |x - c|^2 = |x|^2 - (2 x c - |c|^2).
struct nearest_row {
  static constexpr auto operands = sectile::operands(input<"X(M,K)", bf16>(), input<"C(N,K)", bf16>(),
                                                     input<"norm(N)", float>(), output<"nearest(M)", s32>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 4, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto C, auto norm, auto nearest) {
    auto [m] = sm.rows_of(X);
    const auto distance = [&](auto j) {
      auto acc = sm.accumulator(sm.load(X, {m, 0}) * transpose(sm.load(C, {j, 0})));
      for (auto k : sm.pipelined(tiles<"K">(X) - 1)) acc += sm.load(X, {m, k + 1}) * transpose(sm.load(C, {j, k + 1}));
      return row_argmax(2.0f * acc - sm.load(norm, {j}), {m, j}, size<"N">(C));
    };
    auto best = distance(0);
    for (auto j : sm.pipelined(tiles<"N">(C) - 1)) best = max(best, distance(j + 1));
    sm.store(nearest, {m}, best.column);
  }
};

}  // namespace sectile::test
