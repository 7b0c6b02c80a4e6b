// fault: the number of tiles of a fragment
// caught: compile time
// expect: tiles<"K">() of a fragment of f32, 128 x 64: it is asked of an operand, as tiles<"K">(A) is
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    for (auto k : sm.pipelined(tiles<"K">(acc))) acc *= 2.0f;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
