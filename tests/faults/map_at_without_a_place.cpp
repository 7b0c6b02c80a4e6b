// fault: a function of an element's place that takes the number only
// caught: compile time
// expect: map_at(x, at, f): the function cannot be called like that; write map_at(x, {m, n}, [=](float a, int row, int col) { return ..; })
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map_at(acc, {m, n}, [](float a) { return a; }));
  }
};
static_assert(verified<kernel>);
