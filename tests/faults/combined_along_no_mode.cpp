// fault: sums along M x N that are combined into a vector along K
// caught: compile time
// expect: v is along K (64), what it meets along M (128) x N (64); a vector goes along one of its modes
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(K)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {0}, acc, reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
