// fault: a const fragment that is changed in place
// caught: compile time
// expect: a *= b: a is const; declare it auto, not const auto
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto y = acc + 1.0f;
    y *= 2.0f;
    sm.store(C, {m, n}, y);
  }
};
static_assert(verified<kernel>);
