// fault: a number per row that becomes a fragment
// caught: compile time
// expect: a number per row is set to a fragment of f32, 128 x 64: only another of the same rows can be assigned
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto top = row_max(acc);
    top = acc;
    sm.store(C, {m, n}, acc - top);
  }
};
static_assert(verified<kernel>);
