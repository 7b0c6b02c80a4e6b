// fault: a vector in blocks is loaded by the block, where it takes the tile
// caught: compile time
// expect: coordinate 0 of a part of SB counts tiles along N, but the one given counts along NB: of N/48 a part is named by its tile, and has the blocks that the tile meets
#include "fault.hpp"

struct kernel : product_with_squares {
  static constexpr void body(auto& sm, auto A, auto B, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(SB, {as<"NB">(n * 64 / 48), as<"KB">(k)});
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);
