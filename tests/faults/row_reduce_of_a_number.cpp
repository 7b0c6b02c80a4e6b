// fault: a reduction of a number that is the same in all rows
// caught: compile time
// expect: row_reduce(x, f) with a number: it takes a fragment of f32, whose rows have many numbers
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - row_reduce(size<"N">(C), [](float a, float b) { return a + b; }));
  }
};
static_assert(verified<kernel>);
