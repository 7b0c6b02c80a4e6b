// fault: a map_at() whose function stands in front of the value
// caught: compile time
// expect: map_at(x, at, f): the function cannot be called like that; write map_at(x, {m, n}, [=](float a, int row, int col)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map_at([](float a, int row, int col) { return row < col ? 0.0f : a; }, acc, {m, n}));
  }
};
static_assert(verified<kernel>);
