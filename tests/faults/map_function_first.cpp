// fault: a function before the value that it is for
// caught: compile time
// expect: map() takes one to three values and then a function of their numbers: map(x, [](float a) { return ..; })
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map([](float x) { return x; }, acc));
  }
};
static_assert(verified<kernel>);
