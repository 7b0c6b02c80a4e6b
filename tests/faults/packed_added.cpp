// fault: packed elements in a sum of f32
// caught: compile time
// expect: a + b with a fragment of f32, 128 x 64 and a fragment of bf16, 128 x 64: fragments are combined in f32: write cast<float>() of the one of bf16
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + in_registers(sm.load(A, {m, 0})));
  }
};
static_assert(verified<kernel>);
