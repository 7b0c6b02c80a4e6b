// fault: std::min of a coordinate and a constant
// caught: compile time
// expect: std::min() with a number: a body's own is min(a, b)
#include <algorithm>

#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {std::min(m, 3), n}, acc);
  }
};
static_assert(verified<kernel>);
