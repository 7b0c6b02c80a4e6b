// fault: a vector that is stored, and combined into as well
// caught: compile time
// expect: operand v is written 2 times by the work of one tile; write each vector once
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(M)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(v, {m}, row_max(acc));
    sm.combine(v, {m}, acc, reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
