// fault: a scalar argument in an if, as if it were known to the compiler
// caught: compile time
// expect: a number that is known only at run time decides nothing in a body. Use select(), min(), max() or mask()
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        scalar<"alpha", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto alpha) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    if (alpha) acc *= alpha;
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
