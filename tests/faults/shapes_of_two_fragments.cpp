// fault: two fragments of f32 in two shapes
// caught: compile time
// expect: a += b with a fragment of f32, 128 x 64 and a fragment of f32, 128 x 128: they must have the same shape, or the same rows
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto s = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(A, {m, 0})));
    acc += s;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
