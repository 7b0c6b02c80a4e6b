// fault: five operands that are loaded at five times: each needs barriers of its own
// caught: compile time
// expect: the program needs more than 4 rings of stages; load operands together, once in every trip of one loop
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"D(M,K)", bf16>(),
                        input<"E(N,K)", bf16>(), input<"F(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto E, auto F, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto a = sm.load(A, {m, 0});
    acc += a * transpose(sm.load(B, {n, 0}));
    acc += sm.load(D, {m, 0}) * transpose(sm.load(E, {n, 0}));
    acc += a * transpose(sm.load(F, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
