// fault: a constant number of trips that is negative
// caught: compile time
// expect: pipelined(n) is asked for fewer trips than none: n is a constant below 0
#include "fault.hpp"

struct kernel : product {
  static constexpr int ahead = 2;
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(1 - ahead)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
