// fault: rows of batches that an index names which counts no batches
// caught: compile time
// expect: operand C: its rows are named by place(M), which lacks a mode of them; declare vector_input<"place(G,M)", s32>()
#include "fault.hpp"

struct kernel : scattered_product {
  static constexpr auto operands =
      sectile::operands(input<"A(G,M,K)", bf16>(), input<"place(M)", s32>(), input<"B(N,K)", bf16>(),
                        scattered_output<"C(G,M,N)", bf16, "place">());
  static constexpr void body(auto& sm, auto A, auto, auto B, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {g, m, n}, acc);
  }
};
static_assert(verified<kernel>);
