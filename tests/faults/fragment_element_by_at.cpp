// fault: an element of a fragment by at()
// caught: compile time
// expect: a fragment of f32, 128 x 64 has no elements to name: they are spread over threads; map() and mask() reach each, row_max() and row_sum() rows
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - acc.at(0, 0));
  }
};
static_assert(verified<kernel>);
