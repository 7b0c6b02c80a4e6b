// fault: a split of a loop that adds what hangs on the sum itself
// caught: compile time
// expect: split = 2 divides the trips of loops, but a loop uses or overwrites a fragment from before it
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"S(KB,M)", float>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto p = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum = sum + p * sum;
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);
