// fault: C++'s own maximum, of a fragment and a number
// caught: compile time
// expect: there is no std::max(a, b) of a fragment of f32, 128 x 64; write max(a, b), without std::
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, std::max(acc, 0.0f));
  }
};
static_assert(verified<kernel>);
