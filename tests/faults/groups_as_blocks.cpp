// fault: a tile with all rows of a group
// caught: compile time
// expect: block_of(Y) has all rows, of which a group along T has any number; take tile_of(), or rows_of()
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr void body(auto& sm, auto X, auto W, auto, auto Y) {
    auto [e] = sm.block_of(Y);
    for (auto n : sm.pipelined(tiles<"N">(Y))) {
      auto acc = sm.accumulator(Y);
      for (auto k : sm.pipelined(tiles<"K">(X))) acc += sm.load(X, {e, 0, k}) * transpose(sm.load(W, {e, n, k}));
      sm.store(Y, {e, 0, n}, acc);
    }
  }
};
static_assert(verified<kernel>);
