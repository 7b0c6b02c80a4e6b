// fault: a fragment that is capped by ?: with a number of the launch
// caught: compile time
// expect: a fragment of f32, 128 x 64 is no number: every thread holds some of its elements; a function of each is map(x, [](float a) { return ..; })
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), scalar<"cap", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto cap) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc > cap ? cap : acc);
  }
};
static_assert(verified<kernel>);
