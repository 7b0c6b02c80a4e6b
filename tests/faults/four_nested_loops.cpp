// fault: pipelined loops that are nested too deep
// caught: compile time
// expect: the body nests pipelined loops deeper than 3
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const int once = 1;
    for (auto i : sm.pipelined(once))
      for (auto j : sm.pipelined(once + i))
        for (auto l : sm.pipelined(once + j))
          for (auto k : sm.pipelined(tiles<"K">(A) + l)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
