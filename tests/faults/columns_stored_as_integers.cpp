// fault: numbers of columns that are stored as integers
// caught: compile time
// expect: store to v: columns' numbers are f32 and become f32, bf16 or f16, not s32; declare v as one of these
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(N)", s32>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(v, {n}, col_sum(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
