// fault: a store that names its tile by one coordinate
// caught: compile time
// expect: a tile of C is named by 2 coordinates, one for each mode; 1 is given
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m}, acc);
  }
};
static_assert(verified<kernel>);
