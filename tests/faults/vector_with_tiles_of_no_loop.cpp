// fault: a vector that is to come with tiles, loaded behind their loop
// caught: compile time
// expect: vector SA is to come with tiles: load it and a tile once in each trip of one loop, and nowhere else; or leave out with_tiles
#include "fault.hpp"

struct kernel : product_with_scales {
  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * sm.load(SA, {0, m}));
  }
};
static_assert(verified<kernel>);
