// fault: coordinates of a tile that do not stand in braces
// caught: compile time
// expect: load(A, ..): the coordinates of a tile stand in braces: load(A, {m, n})
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += sm.load(A, m, 0) * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
