// fault: the tiles of an operand without a mode
// caught: compile time
// expect: tiles() and size() of A take a mode, 0 to 1: tiles along mode 1 are tiles<"K">(A)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const int trips = A.tiles();
    sm.store(C, {m, n}, acc * trips);
  }
};
static_assert(verified<kernel>);
