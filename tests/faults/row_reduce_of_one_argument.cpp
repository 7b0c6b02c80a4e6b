// fault: a reduction by a function of one number
// caught: compile time
// expect: row_reduce(x, f): the function cannot be called like that; write row_reduce(x, [](float a, float b) { return ..; })
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_reduce(acc, [](float a) { return a; }));
  }
};
static_assert(verified<kernel>);
