// fault: clamp() of a fragment and one bound
// caught: compile time
// expect: clamp() with 2 arguments: write clamp(x, least, most); with one bound it is max(x, least) or min(x, most)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, clamp(acc, 0.0f));
  }
};
static_assert(verified<kernel>);
