// fault: unfinished sums of rows that become their mean
// caught: compile time
// expect: a / b with an unfinished row_sum() and a number: four lanes hold a part of it each; row_sum(x).total() adds them up
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto sums = row_sum(acc);
    sums = sums / size<"N">(C);
    sm.store(C, {m, n}, acc - sums.total());
  }
};
static_assert(verified<kernel>);
