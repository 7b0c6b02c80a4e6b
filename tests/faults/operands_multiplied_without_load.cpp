// fault: multiplying operands themselves, not tiles of them
// reported: cutlass#2332
// caught: compile time
// expect: transpose() takes a tile in shared memory, not operand B; write transpose(sm.load(B, {..}))
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += A * transpose(B);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
