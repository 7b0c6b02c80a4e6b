// fault: a row that is added to a column
// caught: compile time
// expect: a + b: a counts along M, b along N; where that is meant, say so: as<"N">(a)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {m + n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
