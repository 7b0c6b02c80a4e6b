// fault: map() with a function that captures another fragment
// caught: compile time
// expect: map(x, f): the function returns no number; write [](float a) { return ..; }
// expect-clang: refused_because<sectile::rule::function_does_not_fit
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto halves = acc * 0.5f;
    sm.store(C, {m, n}, map(acc, [=](float x) { return x + halves; }));
  }
};
static_assert(verified<kernel>);
