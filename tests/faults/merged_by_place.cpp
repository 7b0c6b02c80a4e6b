// fault: a merge that asks where elements lie, of which it may be given a piece
// caught: compile time
// expect: where each part does so, or behind it; so does what hangs on an element's place
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    const auto at = sm.tile_of(C);
    const auto m = at.template get<0>();
    const auto n = at.template get<1>();
    const auto [first, end] = sm.own_trips(0, tiles<"K">(A));
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(end - first)) acc += sm.load(A, {m, first + k}) * transpose(sm.load(B, {n, first + k}));
    const auto by_column = [](float y, int, int col) { return y * static_cast<float>(col); };
    sm.merge([&](auto& x, auto& other) { x += map_at(other, {m, n}, by_column); }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
