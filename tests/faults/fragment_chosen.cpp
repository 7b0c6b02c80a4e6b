// fault: a count that chooses between two accumulators: registers have no address
// caught: compile time
// expect: a condition chooses which fragment is used; registers cannot be chosen when the kernel runs: use both, and choose by mask() or a factor of 0 or 1
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto even = sm.accumulator(C), odd = sm.accumulator(C);
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto& acc = trips++ % 2 ? odd : even;
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, even + odd);
  }
};
static_assert(verified<kernel>);
