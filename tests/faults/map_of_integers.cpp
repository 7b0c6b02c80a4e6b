// fault: a function of whole numbers for elements that have fractions
// caught: compile time
// expect: map(x, f): the function takes whole numbers, which cuts off fractions; write [](float a) { return ..; }
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map(acc, [](int x) { return x; }));
  }
};
static_assert(verified<kernel>);
