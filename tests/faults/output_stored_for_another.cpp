// fault: of two outputs, one that is stored in the place of the other
// caught: compile time
// expect: operand D is stored 2 times by the work of one tile; store each output once
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"D(M,N)", bf16>(),
                        output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto) {
    auto [m, n] = sm.tile_of(D);
    auto acc = sm.accumulator(D);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(D, {m, n}, acc);
    sm.store(D, {m, n}, abs(acc));
  }
};
static_assert(verified<kernel>);
