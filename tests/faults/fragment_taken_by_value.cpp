// fault: a function that changes its argument, a fragment, which it takes by value
// caught: compile time
// expect: the body changes a copy of a fragment, which nothing uses afterwards: a function that changes its argument takes it by reference, auto& acc
#include "fault.hpp"

constexpr void halve(auto x) { x *= 0.5f; }

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    halve(acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
