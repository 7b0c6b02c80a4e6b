// fault: fma() of two values
// caught: compile time
// expect: fma() with 2 arguments: write fma(x, y, z), which is x * y + z
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, fma(acc, 2.0f));
  }
};
static_assert(verified<kernel>);
