// fault: own trips of a tile that is cut by its place
// caught: compile time
// expect: .streamed = true divides the trips of a tile by its place, and sm.own_trips() those of each tile; use .split
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .streamed = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto [first, end] = sm.own_trips(0, tiles<"K">(A));
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(end - first)) acc += sm.load(A, {m, first + k}) * transpose(sm.load(B, {n, first + k}));
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
