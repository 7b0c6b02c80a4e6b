// fault: the place of the largest of what has one number per row
// caught: compile time
// expect: row_argmin(x, {m, n}, columns) with a number per row: it takes a fragment of f32, whose rows have many numbers
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_argmin(row_max(acc), {m, n}, size<"N">(C)).value);
  }
};
static_assert(verified<kernel>);
