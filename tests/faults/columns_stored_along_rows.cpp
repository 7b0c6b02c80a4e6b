// fault: numbers of columns that are stored along M
// caught: compile time
// expect: v is along M (128), what it meets along N (64); a vector goes along one of its modes
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(M)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(v, {m}, col_max(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
