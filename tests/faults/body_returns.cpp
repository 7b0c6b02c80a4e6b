// fault: a body that returns what it has computed
// caught: compile time
// expect: body() returns something, which nobody takes; what it makes is stored: static constexpr void body(auto& sm, auto A, ..)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
    return acc;
  }
};
static_assert(verified<kernel>);
