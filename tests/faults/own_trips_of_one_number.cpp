// fault: the trips of a part, asked for by how many there are
// caught: compile time
// expect: own_trips() with 1 argument: write const auto [first, end] = sm.own_trips(0, tiles<"K">(A))
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto [first, end] = sm.own_trips(tiles<"K">(A));
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(end - first)) acc += sm.load(A, {m, first + k}) * transpose(sm.load(B, {n, first + k}));
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
