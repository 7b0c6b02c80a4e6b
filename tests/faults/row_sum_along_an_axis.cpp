// fault: row_sum() that is given an axis
// caught: compile time
// expect: row_sum() with 2 arguments: it takes a fragment and nothing else; row_max(), row_min() and row_sum() make a number of each row, col_max() and its like of each column
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way, 2>
// expect-nvcc: refused_because<sectile::rule::operand_is_used_in_another_way, 2LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * row_sum(acc, 1));
  }
};
static_assert(verified<kernel>);
