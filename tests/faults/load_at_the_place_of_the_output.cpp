// fault: all coordinates of an output tile are taken for an operand with other modes
// caught: compile time
// expect: coordinate 1 of a tile of A counts tiles along K, but the one given counts along N: are they in another order? Where it is meant: as<"K">(x)
// expect-clang: coordinate_is_along_another_mode
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, sm.tile_of(C)) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
