// fault: a number per row that becomes a sum whose parts four lanes have
// caught: compile time
// expect: a number per row is set to an unfinished row_sum(): four lanes hold a part of it each; row_sum(x).total() adds them up
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto top = row_max(acc);
    top = row_sum(acc);
    sm.store(C, {m, n}, acc - top);
  }
};
static_assert(verified<kernel>);
