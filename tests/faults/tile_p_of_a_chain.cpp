// fault: a tile along the mode between two products that no instruction divides
// caught: compile time
// expect: tile P = 40 is not a multiple of the instruction K = 16 (wgmma m64nNk16, bf16); use 32 or 48
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(P,K)", bf16>(),
                                                     input<"D(N,P)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", 64}, {"P", 40}}, .stages = 3};

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto h = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {0, 0})));
    sm.store(C, {m, n}, sm.accumulator(cast<bf16>(h) * transpose(sm.load(D, {n, 0}))));
  }
};
static_assert(verified<kernel>);
