// fault: the place of the largest in a tile at {n, m}
// caught: compile time
// expect: x at {row, col}: x is along M x N, its place along N x M; name the place in x's order
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_argmax(acc, {n, m}, size<"N">(C)).value);
  }
};
static_assert(verified<kernel>);
