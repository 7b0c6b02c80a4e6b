// fault: rows of the first group for the tiles of all
// caught: compile time
// expect: operand X is loaded at group 0 by the work of group 
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {0, t, k}) * transpose(sm.load(W, {e, n, k}));
    sm.store(Y, {e, t, n}, acc);
  }
};
static_assert(verified<kernel>);
