// fault: leaving a pipelined loop early in some tiles only
// caught: compile time
// expect: loads, products, uses and stores must not stand under a run-time if
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      if (k > m) break;
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
