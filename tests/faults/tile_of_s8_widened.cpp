// fault: a tile of 8 bits that is to become wider in shared memory
// caught: compile time
// expect: cast to bf16 of a tile of W: cast takes registers: cast<bf16>(in_registers(tile))
#include "fault.hpp"

struct kernel : weights_of_8_bits {
  static constexpr void body(auto& sm, auto W, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(W)))
      acc += cast<bf16>(sm.load(W, {m, k})) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
