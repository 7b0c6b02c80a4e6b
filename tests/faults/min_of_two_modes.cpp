// fault: the smaller of two numbers of tiles along different modes
// caught: compile time
// expect: min(a, b): a counts along K, b along M; where that is meant, say so: as<"M">(a)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto trips = min(tiles<"K">(A), m + 1);
    for (auto k : sm.pipelined(trips)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
