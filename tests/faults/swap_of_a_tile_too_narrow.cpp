// fault: a tile of f32 that is too narrow for registers, where the configuration swaps
// caught: compile time
// expect: operand R: a tile of 32 columns x 16 rows does not fill registers as sums do (as the transpose, .swap = true), 64 columns for each of 2 consumers and 8 rows at a time
// expect-clang: refused_because<sectile::rule::tile_is_not_a_multiple_of_the_instruction, 32, 16, 2>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"N", 128}, {"K", 64}, {"P", 32}}, .stages = 2, .consumers = 2, .swap = true};
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,P)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * row_max(in_registers(sm.load(R, {m, 0}))));
  }
};
static_assert(verified<kernel>);
