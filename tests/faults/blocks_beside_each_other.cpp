// fault: a cluster of blocks, which have nothing beside or below them
// caught: compile time
// expect: a cluster of 2 x 1 CTAs, but a tile of block_of() has all rows, and nothing lies beside or below it; use {1, 1}
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(B,M,N)", float>(), output<"Y(B,M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = 2, .cluster = {2, 1}, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [b] = sm.block_of(Y);
    sm.store(Y, {b, 0, 0}, in_registers(sm.load(X, {b, 0, 0})));
  }
};
static_assert(verified<kernel>);
