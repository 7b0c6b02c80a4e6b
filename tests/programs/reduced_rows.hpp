// Programs that reduce rows by functions of their own, and that find the places of the largest and the least elements,
// for the tests on the model and on a GPU.
#pragma once
#include "tests/programs/written_vectors.hpp"

namespace sectile::test {

/// C = A B^T, and of each row and each tile of columns the largest and the least number and where they stand.
template <configuration How>
struct places_in_tiles {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(),
                        vector_output<"most(T,M)", float>(), vector_output<"of_most(T,M)", s32>(),
                        vector_output<"least(T,M)", float>(), vector_output<"of_least(T,M)", s32>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto most, auto of_most, auto least, auto of_least) {
    auto [m, n] = sm.tile_of(C);
    const auto tile = as<"T">(n);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto [top, of_top] = row_argmax(acc, {m, n}, size<"N">(C));
    const auto low = row_argmin(acc, sm.tile_of(C), size<"N">(C));
    sm.store(most, {tile, m}, top);
    sm.store(of_most, {tile, m}, of_top);
    sm.store(least, {tile, m}, low.value);
    sm.store(of_least, {tile, m}, low.column);
    sm.store(C, {m, n}, acc);
  }
};

/// The same of whole rows, which one CTA makes tile by tile; and the column of the largest as a number.
template <configuration How>
struct places_in_rows {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(), output<"most(M)", float>(),
      output<"of_most(M)", s32>(), output<"of_least(M)", s32>(), output<"as_number(M)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto most, auto of_most, auto of_least, auto as_number) {
    auto [m] = sm.rows_of(C);
    auto top = sm.no_elements(C), low = sm.no_elements(C);
    for (auto j : sm.pipelined(tiles<"N">(C))) {
      auto acc = sm.accumulator(C);
      for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {j, k}));
      top = max(top, row_argmax(acc, {m, j}, size<"N">(C)));
      low = min(low, row_argmin(acc, {m, j}, size<"N">(C)));
      sm.store(C, {m, j}, acc);
    }
    sm.store(most, {m}, top.value);
    sm.store(of_most, {m}, top.column);
    sm.store(of_least, {m}, low.column);
    sm.store(as_number, {m}, cast<float>(top.column) + 0.5f);
  }
};

/// Of two numbers the one nearer to zero, of equals the positive one: a function that branches.
struct nearer_to_zero {
  constexpr float operator()(float a, float b) const {
    const float x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    if (x == y) return a > b ? a : b;
    return x < y ? a : b;
  }
};
/// No function that a program should be written with: it shows in which order numbers meet, by no more than what the
/// model takes for rounding. (The product is exact, so no compiler makes other bits of it.)
struct order_of_two {
  constexpr float operator()(float a, float b) const { return a + (b + 0x1p-9f * a); }
};

/// Rows of A B^T reduced by functions of the program, and by those of the language.
template <configuration How>
struct reduced_rows {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(), output<"near(M)", float>(),
      output<"order(M)", float>(), output<"most(M)", float>(), output<"sum(M)", float>(), output<"agree(M)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto near, auto order, auto most, auto sum, auto agree) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto larger = row_reduce(acc, [](float a, float b) { return a > b ? a : b; });
    const auto added = row_reduce(acc, [](float a, float b) { return a + b; });
    sm.store(near, {m}, row_reduce(acc, nearer_to_zero{}));
    const auto ordered = row_reduce(acc, order_of_two{});
    sm.store(order, {m}, ordered);
    sm.store(most, {m}, larger);
    sm.store(sum, {m}, added);
    const auto spread = 0.0f * acc + ordered;  // as each lane has it
    const auto apart = row_max(spread) - row_min(spread);
    sm.store(agree, {m}, abs(larger - row_max(acc)) + abs(added - row_sum(acc).total()) + apart);
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace sectile::test
