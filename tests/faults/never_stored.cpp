// fault: a result that is never stored
// caught: compile time
// expect: operand C is an output that the body never stores; store() it, or take it out of the operands
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
  }
};
static_assert(verified<kernel>);
