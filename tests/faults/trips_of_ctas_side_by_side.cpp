// fault: CTAs of a cluster make tiles side by side, and their trips store what all of them have
// caught: compile time
// expect: a cluster of 1 x 2 CTAs, but trip_output P has no N, along which 2 of them would store the same tiles
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     trip_output<"P(M,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .cluster = {1, 2}, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = cast<bf16>(relu(cast<float>(in_registers(sm.load(A, {m, k})))));
      sm.store(P, {m, k}, a);
      acc += a * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
