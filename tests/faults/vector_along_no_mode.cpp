// fault: a vector along K that is added to sums along M x N
// caught: compile time
// expect: a + b with a fragment of f32, 128 x 64 and a part of v: v is along K (64), what it meets along M (128) x N (64); a vector goes along one of its modes
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"v(K)", float>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(v, {0}));
  }
};
static_assert(verified<kernel>);
