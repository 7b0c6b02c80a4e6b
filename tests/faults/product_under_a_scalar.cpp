// fault: a product under a condition on a scalar argument, which the planner cannot see
// caught: compile time
// expect: loads, products, uses and stores must not stand under a run-time if
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)), input<"B(N,K)", bf16>(row_major, tile(64, 64)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 64)), scalar<"x", float>());
  static constexpr sectile::schedule schedule{.stages = 3, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C, float x) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    if (x > 0) acc += sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
