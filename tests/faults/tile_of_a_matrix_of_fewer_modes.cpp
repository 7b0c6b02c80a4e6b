// fault: the work's place asked of a matrix that has fewer modes than the output
// caught: compile time
// expect: tile_of(B): B is an input; the work is divided by the tiles of the output: take tile_of() of that
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(G,M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(G,M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(B);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {0, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {0, m, n}, acc);
  }
};
static_assert(verified<kernel>);
