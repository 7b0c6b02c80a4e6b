// fault: a vector of shuffled elements
// caught: compile time
// expect: operand bias: a vector is not shuffled s8: the columns of a matrix are, which becomes a left factor in registers
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"bias(N)", shuffled<s8>>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(bias, {n}));
  }
};
static_assert(verified<kernel>);
