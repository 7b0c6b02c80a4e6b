// fault: a loop of one trip less than there are tiles
// caught: compile time
// expect: operand A: nothing loads the last tile along K; a loop over all of them is sm.pipelined(tiles<"K">(A)), whose trips are numbered from 0
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
