// fault: a coordinate that is counted back by --
// caught: compile time
// expect: -- with a number: say by how much, x = x - 1
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    --m;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
