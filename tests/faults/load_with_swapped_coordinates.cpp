// fault: a tile is loaded with its coordinates in another order
// caught: compile time
// expect: coordinate 1 of a tile of A counts tiles along K, but the one given counts tiles along M: are they in another order? An int() goes along any mode
// expect-clang: coordinate_is_along_another_mode
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {k, m}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
