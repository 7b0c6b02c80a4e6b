// fault: a number of tiles that is made smaller in place
// caught: compile time
// expect: a number of tiles along K is known to be 1 or more, and stays that; name what is not: auto n = tiles<"K">(A) - 1
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto trips = tiles<"K">(A);
    trips -= 1;
    for (auto k : sm.pipelined(trips)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
