// fault: clamping a sum of floats, which wgmma cannot
// caught: compile time
// expect: wgmma of bf16 x bf16 -> f32 cannot saturate; s8 and u8 can
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += saturate(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
