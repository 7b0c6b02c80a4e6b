// fault: a coordinate that is more than an int can be
// caught: compile time
// expect: operand A is loaded at tile 2147483647 of mode K, which no tensor has: a coordinate counts tiles, and not elements
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, 1ll << 32}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
