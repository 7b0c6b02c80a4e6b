// fault: row sums in fma before the lanes have exchanged their parts
// caught: compile time
// expect: fma(a, b, c) with a fragment of f32, 128 x 64, a number and an unfinished row_sum(): four lanes hold a part of it each; row_sum(x).total() adds them up
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, fma(acc, 2.0f, row_sum(acc)));
  }
};
static_assert(verified<kernel>);
