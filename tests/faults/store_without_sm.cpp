// fault: store() that is not asked of sm
// caught: compile time
// expect: store(C, {..}, x) is asked of the body's first argument: sm.store(C, {..}, x)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
