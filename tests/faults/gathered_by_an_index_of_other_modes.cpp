// fault: rows of batches that are picked by an index which counts something else in front
// caught: compile time
// expect: operand A: its rows are picked by row, whose modes are not those of A but the last, along which a row is whole; declare vector_input<"row(G,M)", s32>()
#include "fault.hpp"

struct kernel : gathered_product {
  static constexpr auto operands =
      sectile::operands(gathered_input<"A(G,M,K)", bf16, "row">(), vector_input<"row(H,M)", s32>(),
                        input<"B(N,K)", bf16>(), output<"C(G,M,N)", float>());
  static constexpr void body(auto& sm, auto A, auto, auto B, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {g, m, n}, acc);
  }
};
static_assert(verified<kernel>);
