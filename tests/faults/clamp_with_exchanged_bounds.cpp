// fault: clamp() with its bounds in the other order
// caught: compile time
// expect: clamp(x, least, most) with a least above the most makes all numbers the most: the smaller bound comes first
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, clamp(acc, 6.0f, 0.0f));
  }
};
static_assert(verified<kernel>);
