// fault: a configuration that swaps, of a product whose result another one takes in 8 bits
// caught: compile time
// expect: .swap = true with a left factor in registers of e4m3: it goes through shared memory, which those of 16 bits do that are computed; leave .swap out of this program's configurations
// clang-lines: 19
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", e4m3>(), input<"B(P,K)", e4m3>(),
                                                     input<"D(N,P)", e4m3>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 32}, {"N", 64}, {"K", 64}, {"P", 64}}, .stages = 3, .consumers = 1, .swap = true};

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto h = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {0, 0})));
    sm.store(C, {m, n}, sm.accumulator(cast<e4m3>(h) * transpose(sm.load(D, {n, 0}))));
  }
};
static_assert(verified<kernel>);
