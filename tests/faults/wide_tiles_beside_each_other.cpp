// fault: rows that two CTAs share, held as rows by registers
// caught: compile time
// expect: a cluster of 1 x 2 CTAs shares the tiles of wide_tile_of(), whose rows they reduce together only where registers hold the transpose; say .swap = true, or use {2, 1}
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(Y, {m, n}, x / row_sum(x).total());
  }
};
static_assert(verified<kernel>);
