// fault: a loop over the tiles of an operand, asked for by a position
// caught: compile time
// expect: tiles, sizes and extents of A are asked for by the name of a mode: tiles<"K">(A), size<"K">(A), extent<"K">(A)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : A.tiles(1)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
