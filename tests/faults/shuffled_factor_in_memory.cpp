// fault: shuffled weights multiplied from shared memory
// caught: compile time
// expect: wgmma has no shuffled e4m3 x bf16 -> f32; a left factor of 8 bits can become as wide in registers: cast<bf16>(in_registers(a)) * b, summed in sm.accumulator(C, as<float>())
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", shuffled<e4m3>>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
