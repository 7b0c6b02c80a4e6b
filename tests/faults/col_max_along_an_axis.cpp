// fault: col_max() that is given an axis
// caught: compile time
// expect: col_max() with 2 arguments: it takes a fragment and nothing else;
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - col_max(acc, 0));
  }
};
static_assert(verified<kernel>);
