// fault: a number per column that becomes one per row
// caught: compile time
// expect: a number per column is set to a number per row: only another of the same columns can be assigned
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto top = col_max(acc);
    top = row_max(acc);
    sm.store(C, {m, n}, acc - top);
  }
};
static_assert(verified<kernel>);
