// fault: a bias that is declared and forgotten
// caught: compile time
// expect: operand bias is an input that the body never loads; load it, or take it out of the operands
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"bias(N)", bf16>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
