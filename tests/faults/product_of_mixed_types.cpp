// fault: weights of 8 bits, multiplied by activations of 16 as they are
// caught: compile time
// expect: wgmma has no s8 x bf16 -> s32; a left factor of 8 bits can become as wide in registers: cast<bf16>(in_registers(a)) * b, summed in sm.accumulator(C, as<float>())
#include "fault.hpp"

struct kernel : weights_of_8_bits {
  static constexpr void body(auto& sm, auto W, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(W)))
      acc += sm.load(W, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, cast<float>(acc));
  }
};
static_assert(verified<kernel>);
