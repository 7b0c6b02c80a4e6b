// fault: a tile is loaded as one of its elements
// caught: compile time
// expect: a tile of A is no number: a tile in shared memory can only be multiplied by a tile; its numbers are cast<float>(in_registers(tile))
// expect-clang: values_do_not_combine
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const bf16 x = sm.load(A, {m, 0});
    sm.store(C, {m, n}, acc * x);
  }
};
static_assert(verified<kernel>);
