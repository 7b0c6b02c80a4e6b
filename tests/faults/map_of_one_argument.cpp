// fault: a function of one number for the elements of two fragments
// caught: compile time
// expect: map(x, y, f): the function cannot be called like that; write [](float a, float b) { return ..; }
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map(acc, acc, [](float x) { return x; }));
  }
};
static_assert(verified<kernel>);
