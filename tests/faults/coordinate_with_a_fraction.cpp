// fault: a coordinate with a fraction, which would be cut off
// caught: compile time
// clang-lines: 19
// expect: a coordinate is a float: coordinates count tiles, as in sm.load(A, {m, k}), and are whole numbers
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k * 0.5f}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
