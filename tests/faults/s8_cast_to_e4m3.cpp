// fault: numbers of one 8-bit type that are cast to another
// caught: compile time
// expect: cast to e4m3 of a fragment of s8, 128 x 64: s8 becomes f32, bf16 or f16: cast<float>() first
#include "fault.hpp"

struct kernel : weights_of_8_bits {
  static constexpr void body(auto& sm, auto W, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(W)))
      acc += cast<e4m3>(in_registers(sm.load(W, {m, k}))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
