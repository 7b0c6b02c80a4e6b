// fault: columns along N that a mask compares with the size of K
// caught: compile time
// expect: mask(x, at, needed, visible, value): the function compares a row or a column with a number along K, but x is along M x N; where that is meant: as<"N">(x)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto columns = size<"K">(B);
    mask(
        acc, {m, n}, columns < 64, [=](int, int col) { return col < columns; }, -sectile::infinity);
    sm.store(C, {m, n}, acc - row_max(acc));
  }
};
static_assert(verified<kernel>);
