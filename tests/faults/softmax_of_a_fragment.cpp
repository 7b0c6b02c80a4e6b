// fault: a softmax by name
// caught: compile time
// expect: there is no softmax(x) of a fragment of f32, 128 x 64; write x = exp(x - row_max(x)), and then x * reciprocal(row_sum(x)); mask() what is beyond the edge
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, softmax(acc, 1));
  }
};
static_assert(verified<kernel>);
