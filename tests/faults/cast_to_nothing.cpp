// fault: a cast that names no type
// caught: compile time
// expect: there is no cast(x, type) of a fragment of f32, 128 x 64; write cast<bf16>(x)
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast(acc));
  }
};
static_assert(verified<kernel>);
