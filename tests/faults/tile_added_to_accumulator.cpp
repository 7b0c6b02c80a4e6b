// fault: adding a tile along M x K to sums along M x N
// caught: compile time
// expect: a + b with a fragment of f32, 128 x 64 and a tile of A: a is along M x N, b along M x K; in registers nothing is transposed: load or sum one of them the other way
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(A, {m, 0}));
  }
};
static_assert(verified<kernel>);
