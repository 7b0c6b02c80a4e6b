// fault: the sums of the columns of a tile in shared memory
// caught: compile time
// expect: col_sum(a) with a tile of A: a tile in shared memory can only be multiplied by a tile; its numbers are cast<float>(in_registers(tile))
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - col_sum(sm.load(A, {m, 0})));
  }
};
static_assert(verified<kernel>);
