// fault: the largest of three, of which a number is the first
// caught: compile time
// expect: max() with 3 arguments: write max(max(a, b), c)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, max(0.0f, acc, acc));
  }
};
static_assert(verified<kernel>);
