// fault: a scalar argument that is kept as a float
// caught: compile time
// expect: a number that is known only at run time becomes no float: keep it as auto
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        scalar<"alpha", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto alpha) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const float half = alpha / 2;
    sm.store(C, {m, n}, acc * half);
  }
};
static_assert(verified<kernel>);
