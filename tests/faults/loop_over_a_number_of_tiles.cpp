// fault: a loop over a number of tiles instead of sm.pipelined()
// caught: compile time
// expect: a loop over tiles is for (auto k : sm.pipelined(tiles<"K">(A)))
// expect-clang: refused_because<sectile::rule::loops_over_tiles_are_pipelined>
// expect-nvcc: refused_because<sectile::rule::loops_over_tiles_are_pipelined>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : tiles<"K">(A)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
