// fault: mask() whose coordinates stand apart
// caught: compile time
// expect: mask(x, at, needed, visible, value): the function cannot be called like that; write mask(x, {m, n}, needed,
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(
        acc, m, n, [](int row, int col) { return col <= row; }, 0.0f);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
