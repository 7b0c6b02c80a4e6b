// fault: a mask that counts its calls
// caught: compile time
// expect: mask(x, at, needed, visible, value): the function changes when it is called (mutable), but elements are asked for in no order
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(acc, {m, n}, true, [calls = 0](int, int) mutable { return calls++ > 0; }, 0.0f);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
