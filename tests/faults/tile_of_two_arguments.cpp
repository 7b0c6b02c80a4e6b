// fault: a place that is asked for with a mode
// caught: compile time
// expect: tile_of() with 2 arguments: write sm.tile_of(C) with the output C and nothing else
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto [i, j] = sm.tile_of(C, 1);
    sm.store(C, {i, j}, acc);
  }
};
static_assert(verified<kernel>);
