// fault: tiles that are cut for the end, though later rows have longer sums
// caught: compile time
// expect: .streamed = true shares out the trips of tiles that are alike, but the loop makes
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .streamed = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(as<"K">(m) * 2 + 1)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
