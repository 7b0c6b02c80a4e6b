// fault: a fragment that is set to a number per row
// caught: compile time
// expect: a fragment of f32, 128 x 64 is set to a number per row: only a fragment of the same type and shape, a product, or a number for all of f32 can be assigned
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc = row_max(acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
