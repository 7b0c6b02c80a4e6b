// fault: a store that begins with the value
// caught: compile time
// expect: store() begins with an operand of the body, not with a fragment of f32, 128 x 64
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(acc, C, {m, n});
  }
};
static_assert(verified<kernel>);
