// fault: two values stored at once
// caught: compile time
// expect: store() takes the output, the place of its tile and the value, in this order: store(C, {m, n}, x)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc, acc);
  }
};
static_assert(verified<kernel>);
