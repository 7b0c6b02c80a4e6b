// fault: a loop over an operand
// caught: compile time
// expect: a loop over tiles is for (auto k : sm.pipelined(tiles<"K">(A)))
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : A) acc += sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
