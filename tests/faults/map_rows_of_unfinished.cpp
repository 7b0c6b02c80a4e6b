// fault: a function of row sums before the lanes have exchanged their parts
// caught: compile time
// expect: map_rows(f, ..) with an unfinished row_sum(): four lanes hold a part of it each; row_sum(x).total() adds them up
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc *= map_rows([](auto& hw, float x) { return hw.add(x, x); }, row_sum(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
