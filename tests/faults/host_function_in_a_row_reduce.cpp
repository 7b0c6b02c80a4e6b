// fault: a reduction by an object whose call operator is not constexpr
// caught: compile time
// expect: row_reduce(x, f) is given a function that is, or calls, one for the host alone
// expect-clang: accepted
#include "fault.hpp"

struct multiply {
  float operator()(float a, float b) const { return a * b; }
};

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * row_reduce(acc, multiply{}));
  }
};
static_assert(verified<kernel>);
