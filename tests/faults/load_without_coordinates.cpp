// fault: a load that does not say which tile
// caught: compile time
// expect: a tile of B is named by 2 coordinates, one for each mode; 0 are given
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
