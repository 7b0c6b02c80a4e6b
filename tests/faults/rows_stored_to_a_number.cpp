// fault: numbers of rows that are stored to a single number
// caught: compile time
// expect: store to v: the value is a number per row; one number takes what is combined: sm.combine(v, {..}, x, reduction::max)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(v, {}, row_max(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
