// fault: a cast to a type that no element has
// caught: compile time
// expect: cast of a fragment of f32, 128 x 64 to a type that no element has: bodies compute with float
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast<double>(acc));
  }
};
static_assert(verified<kernel>);
