// fault: a reduction of columns by nothing
// caught: compile time
// expect: col_reduce() takes a fragment and a function of two of its numbers: col_reduce(x, [](float a, float b) { return ..; })
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - col_reduce(acc));
  }
};
static_assert(verified<kernel>);
