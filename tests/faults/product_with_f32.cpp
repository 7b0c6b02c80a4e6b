// fault: an accumulator multiplied by a tile of f32, to which it cannot be cast either
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 64 and a tile of B: an accumulator is no operand yet; and none becomes f32: declare B as a type that cast has: f16, bf16, tf32, e4m3, e5m2
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)), input<"B(N,K)", float>(row_major, tile(64, 64)),
                        output<"C(M,N)", bf16>(row_major, tile(128, 64)));
  static constexpr sectile::schedule schedule{.stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(A.tiles(1))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += acc * sm.load(B, {n, 0});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
