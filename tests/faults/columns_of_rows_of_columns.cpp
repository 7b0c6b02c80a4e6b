// fault: columns' numbers are taken for rows', whose sum is the sum of all
// caught: compile time
// expect: col_sum(a)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * col_sum(col_sum(acc)));
  }
};
static_assert(verified<kernel>);
