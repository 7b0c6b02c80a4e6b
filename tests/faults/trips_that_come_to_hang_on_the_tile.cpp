// fault: a number of trips that is made to hang on where the tile lies
// caught: compile time
// expect: a number along K becomes one that hangs on where the tile lies; give that a name of its own
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto trips = tiles<"K">(A) + 1;
    trips += as<"K">(m);
    for (auto k : sm.pipelined(trips)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
