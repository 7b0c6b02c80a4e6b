// fault: a fragment that is asked for its transpose
// caught: compile time
// expect: transpose() takes a tile in shared memory, not a fragment of f32, 128 x 64; an output that is declared col_major is stored as its transpose, and that of a * b is transpose(b) * transpose(a)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc.transpose());
  }
};
static_assert(verified<kernel>);
