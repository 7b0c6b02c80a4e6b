// fault: a tile that is transposed by a member
// caught: compile time
// expect: a tile of B is transposed by a function: transpose(tile)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * sm.load(B, {n, k}).T();
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
