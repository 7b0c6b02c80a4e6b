// fault: a wide tile, as wide as rows, in a cluster of two columns
// caught: compile time
// expect: a cluster of 1 x 2 CTAs, but a tile of wide_tile_of() has whole rows: there is nothing beside it; use {2, 1}
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
