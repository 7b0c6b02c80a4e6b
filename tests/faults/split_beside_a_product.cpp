// fault: a split of a body with a product outside of its loops
// caught: compile time
// expect: split = 2 divides the trips of loops, but a product stands outside of them, which each part would add
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    acc += sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}));
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) acc += sm.load(A, {m, k + 1}) * transpose(sm.load(B, {n, k + 1}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
