// fault: a product of weights that have become bf16, summed as integers because the first operand holds such
// caught: compile time
// expect: wgmma has no bf16 x bf16 -> s32; bf16 x bf16 -> f32 exists: sm.accumulator(C, as<float>())
#include "fault.hpp"

struct kernel : weights_of_8_bits {
  static constexpr void body(auto& sm, auto W, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(W)))
      acc += cast<bf16>(in_registers(sm.load(W, {m, k}))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast<float>(acc));
  }
};
static_assert(verified<kernel>);
