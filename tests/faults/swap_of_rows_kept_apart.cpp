// fault: consumers that a stagger keeps apart reduce rows, where the configuration swaps
// caught: compile time
// expect: a consumer waits for the others' parts of rows, which .stagger = 2 keeps behind it: where .swap = true, row_sum() and its like meet in the middle of a tile; leave .stagger out
// expect-clang: refused_because<sectile::rule::protocol_deadlocks, 2>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"N", 128}, {"K", 64}}, .stages = 3, .persistent = true, .swap = true, .stagger = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * row_max(acc));
  }
};
static_assert(verified<kernel>);
