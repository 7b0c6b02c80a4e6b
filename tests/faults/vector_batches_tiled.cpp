// fault: vectors in batches with a tile of 64 along the batches
// caught: compile time
// expect: operand v: tile extent 64 of batch mode 0 must be 1; only the last mode of a vector is tiled
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"v(K,N)", float>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(v, {0, n}));
  }
};
static_assert(verified<kernel>);
