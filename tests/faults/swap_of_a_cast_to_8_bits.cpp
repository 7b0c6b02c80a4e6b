// fault: a cast of 16 rows to 8 bits, where the configuration swaps
// caught: compile time
// expect: cast to e4m3 of 16 rows (columns of the transpose that registers hold, .swap = true): it takes a multiple of 32; use 32
// expect-clang: refused_because<sectile::rule::tile_is_not_a_multiple_of_the_instruction, 16, 32, 32>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"N", 128}, {"K", 64}}, .stages = 2, .consumers = 2, .swap = true};
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", e4m3>());

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast<e4m3>(acc));
  }
};
static_assert(verified<kernel>);
