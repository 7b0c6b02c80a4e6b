// fault: gelu of a product that has no accumulator
// caught: compile time
// expect: gelu(a) with a product: a product needs an accumulator: acc += a * b, or sm.accumulator(a * b)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,N)", bf16>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += sm.load(R, {m, n});
    sm.store(C, {m, n}, gelu(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}))));
  }
};
static_assert(verified<kernel>);
