// fault: numbers of rows of one part that are used behind the merge, which does not name them
// caught: compile time
// expect: a value that one part has made is used behind sm.merge(f, x ..), which does not name it
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto [first, end] = sm.own_trips(0, tiles<"K">(A));
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(end - first)) acc += sm.load(A, {m, first + k}) * transpose(sm.load(B, {n, first + k}));
    const auto largest = row_max(acc);
    sm.merge([](auto& x, auto& other) { x += other; }, acc);
    sm.store(C, {m, n}, acc - largest);
  }
};
static_assert(verified<kernel>);
