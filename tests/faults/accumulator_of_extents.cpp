// fault: an accumulator that is declared by its extents
// caught: compile time
// expect: accumulator() with 2 arguments: write sm.accumulator(C) in the shape of the output, or sm.accumulator(a * b)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto y = sm.accumulator(128, 64);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
