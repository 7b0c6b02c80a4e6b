// fault: rows of B are taken by the row of C, not by its column
// caught: compile time
// expect: coordinate 0 of a tile of B counts tiles along N, but the one given counts along M: are they in another order? Where it is meant: as<"N">(x)
// expect-clang: coordinate_is_along_another_mode
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {m, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
