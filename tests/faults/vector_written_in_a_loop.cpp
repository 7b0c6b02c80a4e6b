// fault: a vector that is combined into in each trip of a loop
// caught: compile time
// expect: operand v is written inside a loop; reduce what the trips have, and write once behind the loop
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(N)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      sm.combine(v, {n}, acc, reduction::max);
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
