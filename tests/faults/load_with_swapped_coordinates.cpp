// fault: a tile is loaded with its coordinates in another order
// caught: compile time
// expect: coordinate 0 of a tile of A counts tiles along M, but the one given counts along K: are they in another order? Where it is meant: as<"M">(x)
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
