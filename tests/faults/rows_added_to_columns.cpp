// fault: a number per row and one per column, without a fragment
// caught: compile time
// expect: a + b with a number per row and a number per column: a number per column meets a fragment of the same columns
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * (row_max(acc) + col_max(acc)));
  }
};
static_assert(verified<kernel>);
