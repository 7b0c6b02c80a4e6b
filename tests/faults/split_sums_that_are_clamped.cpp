// fault: a split of sums that are clamped
// caught: compile time
// expect: split = 2 divides the trips of loops, but clamped sums cannot be added up in parts
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(), output<"C(M,N)", s32>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .split = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += saturate(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
