// fault: a tile that meets several blocks along each of two modes
// caught: compile time
// expect: operand SB: a tile of 64 x 64 meets 2 x 2 elements along N/48 and K/32, and a part of a vector goes along one mode: take {"N", 48}, of which each has one element
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"SB(N/48,K/32)", float>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      sum += sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}))) * sm.load(SB, {n, k});
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);
