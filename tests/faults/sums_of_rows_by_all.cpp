// fault: CTAs that share rows all write their sums
// caught: compile time
// expect: a cluster of 1 x 2 CTAs shares the tiles of wide_tile_of(), so 2 of them would write sums; use {2, 1}
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>(), output<"sums(M)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};

  static constexpr void body(auto& sm, auto X, auto Y, auto sums) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(sums, {m}, row_sum(x));
    sm.store(Y, {m, n}, x);
  }
};
static_assert(verified<kernel>);
