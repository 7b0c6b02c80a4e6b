// fault: the largest of what has one number per column
// caught: compile time
// expect: col_max(a) with a number per column: it takes a fragment of f32, whose columns have many numbers
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - col_max(col_sum(acc)));
  }
};
static_assert(verified<kernel>);
