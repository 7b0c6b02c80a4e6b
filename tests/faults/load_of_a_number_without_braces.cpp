// fault: a number in memory, loaded without the empty braces
// caught: compile time
// expect: load(scale): scale is a number, which has no coordinates; write load(scale, {})
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), input<"scale", float>());
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto scale) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * sm.load(scale));
  }
};
static_assert(verified<kernel>);
