// fault: a vector in blocks along a mode of its own, in place of a matrix's
// caught: compile time
// expect: operand bias: X/40 is in blocks of a mode that no matrix has, so that nothing says how many there are; name a matrix's mode
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"bias(X/40)", float>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(bias, {as<"X">(n)}));
  }
};
static_assert(verified<kernel>);
