// fault: an operand's tile that is taken for a number
// caught: compile time
// expect: a tile of A is no number: a tile in shared memory can only be multiplied by a tile; its numbers are cast<float>(in_registers(tile))
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const float y = sm.load(A, {m, 0});
    sm.store(C, {m, n}, acc * y);
  }
};
static_assert(verified<kernel>);
