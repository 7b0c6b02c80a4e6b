// fault: the total of maxima, which are complete
// caught: compile time
// expect: total() of a number per row, which is complete: leave it out; it is for what row_sum() gives, parts that four lanes hold
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_max(acc).total());
  }
};
static_assert(verified<kernel>);
