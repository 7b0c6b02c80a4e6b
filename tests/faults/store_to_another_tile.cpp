// fault: storing to the neighbour's tile: some tiles twice, others never
// reported: tilelang#2522
// caught: compile time
// expect: is stored at tile 3 of mode 1 by the work of tile 2; store at the coordinates of tile_of(C)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n + 1}, acc);
  }
};
static_assert(verified<kernel>);
