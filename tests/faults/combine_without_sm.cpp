// fault: combine() that is not asked of sm
// caught: compile time
// expect: combine(most, {..}, x, how) is asked of the body's first argument: sm.combine(most, {..}, x, how)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"most", float>());
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto most) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    combine(most, {}, acc, reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
