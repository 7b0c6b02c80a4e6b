// Programs that reduce columns, for the tests on the model and on a GPU.
#pragma once
#include "tests/programs/reduced_rows.hpp"

namespace sectile::test {

/// C = A B^T, its columns reduced by functions of the program and by those of the language, tile by tile: stored, and
/// met by the fragment that they come of, where each thread's own numbers show.
template <configuration How>
struct reduced_columns {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"near(N)", float>(), output<"order(N)", float>(),
      output<"most(N)", bf16>(), output<"made(N)", float>(), output<"C(M,N)", float>(), output<"D(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto near, auto order, auto most, auto made, auto C, auto D) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto top = col_max(acc);
    auto x = col_sum(acc);
    x += map(col_min(acc), top, [](float least, float largest) { return largest - least; });
    sm.store(near, {n}, col_reduce(acc, nearer_to_zero{}));
    const auto ordered = col_reduce(acc, order_of_two{});
    sm.store(order, {n}, ordered);
    sm.store(most, {n}, top);
    sm.store(made, {n}, 2.0f * x);
    sm.store(C, {m, n}, acc);
    sm.store(D, {m, n}, acc - ordered);
  }
};

/// Each column of blocks of rows divided by its sum, in a loop: an exchange in every trip. And a vector that meets
/// columns.
template <configuration How>
struct scaled_columns {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", bf16>(), input<"bias(N)", float>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto X, auto bias, auto C) {
    auto [m] = sm.rows_of(C);
    for (auto j : sm.pipelined(tiles<"N">(C))) {
      const auto x = cast<float>(in_registers(sm.load(X, {m, j})));
      sm.store(C, {m, j}, x * reciprocal(col_sum(abs(x)) + sm.load(bias, {j})));
    }
  }
};

}  // namespace sectile::test
