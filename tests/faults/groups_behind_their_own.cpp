// fault: rows of the group behind the tile's own
// caught: compile time
// expect: ; load at the coordinates of tile_of(Y)
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e + 1, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc);
  }
};
static_assert(verified<kernel>);
