// fault: a body of more operations than a plan has room for
// caught: compile time
// expect: the body's text has more than 112 loads, products, uses and stores
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    for (int i = 0; i < 60; ++i) acc += acc;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
