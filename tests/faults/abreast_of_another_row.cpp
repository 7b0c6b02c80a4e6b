// fault: a load for consumers abreast that is of another tile than the one at their row
// caught: compile time
// expect: .abreast = true: the tile of A that is loaded hangs on the place along M, and is not the one at it
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 2, .abreast = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += sm.load(A, {tiles<"M">(C) - 1 - m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
