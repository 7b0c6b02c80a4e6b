// fault: a split of a body without a loop
// caught: compile time
// expect: split = 2 divides the trips of loops, but it has none; leave out .split
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
