// fault: a mask that compares a column with a number of tiles
// caught: compile time
// expect: mask(x, at, needed, visible, value): the function compares a row or a column, which count elements, with a number of tiles; elements are size<"N">(C)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto columns = tiles<"N">(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(
        acc, {m, n}, [=](int, int col) { return col < columns; }, -infinity);
    sm.store(C, {m, n}, acc - row_max(acc));
  }
};
static_assert(verified<kernel>);
