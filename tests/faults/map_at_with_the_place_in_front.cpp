// fault: map_at() of a function that takes the element behind its place
// caught: compile time
// expect: map_at(x, at, f): the function takes whole numbers, which cuts off fractions; write map_at(x, {m, n}, [=](float a, int row, int col) { return ..; })
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map_at(acc, {m, n}, [](int row, int col, float a) { return row < col ? a : 0.0f; }));
  }
};
static_assert(verified<kernel>);
