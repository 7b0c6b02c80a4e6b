// fault: a function of rows' numbers times columns', of which registers hold none
// caught: compile time
// expect: exp2(a) with numbers of rows times numbers of columns: they are made where they meet a fragment, as in acc * (rows * columns) or fma(acc, rows * columns, sum)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * exp2(row_sum(acc).total() * col_sum(acc)));
  }
};
static_assert(verified<kernel>);
