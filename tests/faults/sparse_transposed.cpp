// fault: a sparse operand whose groups do not run along K
// caught: compile time
// expect: operand A is sparse along its columns, so they must be the K of the product; do not transpose it
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(K,M)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += transpose(sm.load(A, {k, m})) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
