// fault: a barrier for the threads of a CTA
// caught: compile time
// expect: there is no sm.sync(); leave it out: who waits for whom is derived from what the body loads, multiplies and stores
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.sync();
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
