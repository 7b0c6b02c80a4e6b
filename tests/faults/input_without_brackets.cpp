// fault: input<>, and no operand of it
// caught: compile time
// expect: operands(): argument 1 declares no operand; one is input<"A(M,K)", bf16>(), with round brackets
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>, input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
