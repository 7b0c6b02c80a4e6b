// fault: a merge that is given the sums in front of its function
// caught: compile time
// expect: sm.merge(f, x ..): some x is nothing that parts have made: name fragments, and numbers of rows or columns
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto [first, end] = sm.own_trips(0, tiles<"K">(A));
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(end - first)) acc += sm.load(A, {m, first + k}) * transpose(sm.load(B, {n, first + k}));
    sm.merge(acc, [](auto& x, auto& other) { x += other; });
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
