// fault: storing before the loop that makes the sum
// caught: compile time
// expect: operand C is stored before a loop of the body; what is stored is complete: store once, behind the last of them
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    sm.store(C, {m, n}, acc);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
  }
};
static_assert(verified<kernel>);
