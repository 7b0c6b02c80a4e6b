// fault: a choice by what each element is compared with
// caught: compile time
// expect: a fragment of f32, 128 x 64 is no number: every thread holds some of its elements; a function of each is map(x, [](float a) { return ..; })
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, select(acc > 0, acc, acc * 0.1f));
  }
};
static_assert(verified<kernel>);
