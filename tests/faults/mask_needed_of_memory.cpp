// fault: a mask whose tiles are asked by a number in memory
// caught: compile time
// expect: mask(x, at, needed, visible, value): needed is a part of v, not a condition on coordinates, sizes or scalars; leave it out, or write map(x, v, f)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"v(N)", float>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(acc, {m, n}, sm.load(v, {n}), [](int row, int col) { return col < row; }, 0.0f);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
