// fault: a left factor of tf32 in registers that has M contiguous
// caught: compile time
// expect: in_registers(transpose(tile)) of A: tf32 must have K contiguous in memory there; declare A as float, and write cast<tf32>(in_registers(..)), which rounds to nearest
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(K,M)", tf32>(), input<"B(N,K)", tf32>(), output<"C(M,N)", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(B)))
      acc += in_registers(transpose(sm.load(A, {k, m}))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
