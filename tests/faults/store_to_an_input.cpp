// fault: storing to an input
// caught: compile time
// expect: store to A: A is an input; store() takes an output: declare it with output<>() to write it
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(A, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
