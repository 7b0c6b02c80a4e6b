// fault: an accumulator as left factor without a cast to an operand type
// reported: cutlass#2332
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 64 and a tile of B: an accumulator is no operand yet; write cast<bf16>(a) * b
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto square = sm.accumulator(C);
    square += acc * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
