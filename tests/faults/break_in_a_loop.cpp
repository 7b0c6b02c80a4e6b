// fault: leaving a pipelined loop early: the stages that are already loaded are never released
// caught: compile time
// expect: a condition that is known only at run time decides nothing in a body. Use select(), min(), max() or mask(); a loop is sm.pipelined(n), and an if is such a loop of 0 or 1 trips
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      if (k > 0) break;
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
