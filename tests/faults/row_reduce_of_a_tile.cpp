// fault: a reduction of a tile in shared memory
// caught: compile time
// expect: row_reduce(x, f) with a tile of A: a tile in shared memory can only be multiplied by a tile; its numbers are cast<float>(in_registers(tile))
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_reduce(sm.load(A, {m, 0}), [](float a, float b) { return a + b; }));
  }
};
static_assert(verified<kernel>);
