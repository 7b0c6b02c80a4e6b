// fault: tile_of() of a scalar, as where a body takes its arguments in another order
// caught: compile time
// expect: tile_of() of a scalar: it takes an operand; does body() take its arguments in the order in which operands(..) declares them?
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), scalar<"alpha", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto alpha) {
    auto [m, n] = sm.tile_of(alpha);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * alpha);
  }
};
static_assert(verified<kernel>);
