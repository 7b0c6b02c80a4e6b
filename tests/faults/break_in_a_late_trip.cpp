// fault: leaving the first of two loops early, in a trip that the planner has not tried
// caught: compile time
// expect: the body comes to a loop where it has none in its first trips: no break, and nothing that loads, multiplies, uses or stores may stand under a run-time if
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 8, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      if (trips++ == 13) break;
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    }
    for (auto k : sm.pipelined(tiles<"K">(B))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
