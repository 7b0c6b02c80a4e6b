// fault: a second output that is stored to the neighbour's tile
// caught: compile time
// expect: operand D is stored at tile
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        output<"D(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto D) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
    sm.store(D, {m, n + 1}, acc);
  }
};
static_assert(verified<kernel>);
