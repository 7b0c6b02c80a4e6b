// fault: an output of one mode
// caught: compile time
// expect: operand s has 1 mode, an output has 2 to 5, with names: output<"s(M,K)", ..>()
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"s(N)", float>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto s, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(s, {n}, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
