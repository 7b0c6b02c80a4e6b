// fault: leaving a pipelined loop early by a count of its own: the stages that are already loaded are never released
// caught: compile time
// expect: the body leaves a pipelined loop early (break): every trip must run to its end
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      if (++trips > 1) break;
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
