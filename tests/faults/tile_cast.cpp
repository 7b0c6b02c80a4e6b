// fault: a tile in shared memory that is cast to f32
// caught: compile time
// expect: cast to f32 of a tile of A: cast takes registers: cast<float>(in_registers(tile))
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + cast<float>(sm.load(A, {m, 0})));
  }
};
static_assert(verified<kernel>);
