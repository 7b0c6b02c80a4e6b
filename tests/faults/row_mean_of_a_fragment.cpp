// fault: the mean of each row by name
// caught: compile time
// expect: there is no row_mean(x) of a fragment of f32, 128 x 64; write row_sum(x).total() / size<"N">(C)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_mean(acc));
  }
};
static_assert(verified<kernel>);
