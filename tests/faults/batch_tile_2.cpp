// fault: a tile of two matrices of a batch
// caught: compile time
// expect: operand A: tile extent 2 of batch mode 0 must be 1; only the last two modes are tiled
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(G,M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(G,M,N)", bf16>());
  static constexpr sectile::configuration how = product::how.with_tile({{"G", 2}, {"M", 128}, {"K", 64}, {"N", 64}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {g, m, n}, acc);
  }
};
static_assert(verified<kernel>);
