// fault: sums that are set to zero in the loop, and not in front of it
// caught: compile time
// expect: x = y: what a trip of a loop has left in x is lost, and nothing has used it; x += y adds
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc = 0.0f;
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
