// fault: a product in every other trip: barriers that the others skip
// reported: tilelang#374
// caught: compile time
// expect: the body does different things in different trips of a loop: no load, product, use or store may depend on what it counts itself; use mask() or a loop of 0 or 1 trips
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A)))
      if (trips++ % 2 == 0) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
