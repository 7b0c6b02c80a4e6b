// fault: an addend of f32, read in the order of a left factor
// caught: compile time
// expect: in_registers: a tile of f32 or s32 would come in the order of a left factor, which it cannot be, not in that of sums; declare it bf16 or f16 and cast it
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", float>(),
                        output<"C(M,N)", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += in_registers(sm.load(R, {m, n}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(sectile::verified<kernel>);
