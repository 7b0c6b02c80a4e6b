// fault: unfinished sums of rows that become the largest
// caught: compile time
// expect: an unfinished row_sum() is set to a number per row: only another of the same rows can be assigned, unfinished as well; its total() is a number per row
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto sums = row_sum(acc);
    sums = row_max(acc);
    sm.store(C, {m, n}, acc - sums.total());
  }
};
static_assert(verified<kernel>);
