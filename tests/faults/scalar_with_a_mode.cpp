// fault: numbers of rows that are declared as a scalar
// caught: compile time
// expect: scalar w(M) has a mode, and is one number for all tiles; numbers along a mode are in memory: input<"w(M)", float>()
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), scalar<"w(M)", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto w) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * w);
  }
};
static_assert(verified<kernel>);
