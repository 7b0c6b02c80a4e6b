// fault: two sums of a tile, in more parts than a cluster has CTAs
// caught: compile time
// expect: split = 16: 2 sums of a tile are used, but in a workspace its parts meet once
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"V(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 16};
  static constexpr void body(auto& sm, auto A, auto B, auto V, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto gate = sm.accumulator(C), value = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      gate += a * transpose(sm.load(B, {n, k}));
      value += a * transpose(sm.load(V, {n, k}));
    }
    sm.store(C, {m, n}, gate * value);
  }
};
static_assert(verified<kernel>);
