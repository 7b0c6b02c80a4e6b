// fault: summing bf16 products in f16, which wgmma cannot
// caught: compile time
// expect: wgmma has no bf16 x bf16 -> f16; bf16 x bf16 -> f32 exists
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<f16>());
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast<float>(acc));
  }
};
static_assert(verified<kernel>);
