// fault: a reduction of columns by a function that counts its calls
// caught: compile time
// expect: col_reduce(x, f): the function changes when it is called (mutable), but elements are asked for in no order
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - col_reduce(acc, [calls = 0](float a, float b) mutable { return a + b + calls++; }));
  }
};
static_assert(verified<kernel>);
