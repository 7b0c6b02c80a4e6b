// fault: a mask at one coordinate
// caught: compile time
// expect: x at {row}: the place of a fragment is two coordinates, its row's and its column's: {m, n}
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(
        acc, {m}, [](int row, int col) { return row < col; }, 0.0f);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
