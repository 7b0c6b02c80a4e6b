// fault: a product of its own shape whose rows the consumers cannot share
// caught: compile time
// expect: tile rows N = 64 do not split into the instruction's 64 rows for each of 2 consumers; use 128
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto b = sm.load(B, {n, 0});
    auto square = sm.accumulator(b * transpose(b)) * 2.0f;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
