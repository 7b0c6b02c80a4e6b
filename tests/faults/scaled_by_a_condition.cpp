// fault: a condition that is taken for a factor of 0 or 1
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 64 and a condition: what a run decides becomes a number by select(c, 1.0f, 0.0f)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * (m > 0));
  }
};
static_assert(verified<kernel>);
