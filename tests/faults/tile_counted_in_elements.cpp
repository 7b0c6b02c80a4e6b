// fault: a coordinate that would count elements, so far out that no tensor has such a tile
// caught: compile time
// expect: operand A is loaded at tile 1073741824 of mode M, which no tensor has: a coordinate counts tiles, and not elements
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {1 << 30, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
