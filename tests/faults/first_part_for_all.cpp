// fault: rows that two CTAs share, of which both load the first part
// caught: compile time
// expect: operand X is loaded at 0 along N by each of the 2 CTAs that share rows of Y: a CTA loads its own part, at the number that wide_tile_of(Y) gives
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, 0}));
    sm.store(Y, {m, n}, x / row_sum(x).total());
  }
};
static_assert(verified<kernel>);
