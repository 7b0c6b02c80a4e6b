// fault: scales of rows that threads read in memory, loaded by the block of rows in place of the block of K
// caught: compile time
// expect: mode KB of SA counts tiles along M, that of SB tiles along K; is one of them loaded at another coordinate than was meant?
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"SA(KB,M)", float>(),
                        vector_input<"SB(KB,N)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    sum = 0.0f;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(SA, {as<"KB">(m), m}) * sm.load(SB, {as<"KB">(k), n});
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);
