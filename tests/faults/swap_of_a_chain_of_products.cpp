// fault: a configuration that swaps, of a product whose result another one takes
// caught: compile time
// expect: .swap = true with a product whose left factor is in registers: registers hold the transpose
// clang-lines: 18
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(K,P)", bf16>(),
                                                     input<"D(P,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 32}, {"N", 64}, {"K", 64}, {"P", 48}}, .stages = 3, .consumers = 1, .swap = true};

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto h = sm.accumulator(sm.load(A, {m, 0}) * sm.load(B, {0, 0}));
    sm.store(C, {m, n}, sm.accumulator(cast<bf16>(h) * sm.load(D, {0, n})));
  }
};
static_assert(verified<kernel>);
