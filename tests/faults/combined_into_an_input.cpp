// fault: a combination into an input
// caught: compile time
// expect: combine into v: v is an input; combine() takes an output: output<"v(N)", float>()
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"v(N)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {n}, acc, reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
