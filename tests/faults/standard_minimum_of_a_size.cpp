// fault: std::min of a number of tiles and a constant
// caught: compile time
// expect: there is no std::min(x, y) of a number; write min(x, y)
#include <algorithm>

#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(std::min(tiles<"K">(A), 8))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
