// fault: A tile that is stored beside its own, in one row of tiles that is far from the first
// caught: compile time
// expect: operand C is stored at a number along N that is made of the work's coordinates, and may be another tile's; store at the coordinates of tile_of(C)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, select(m == 4711, n + 1, n)}, acc);
  }
};
static_assert(verified<kernel>);
