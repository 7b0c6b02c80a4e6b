// fault: CTAs that share rows all add their sums to one number
// caught: compile time
// expect: a cluster of 1 x 2 CTAs shares the tiles of wide_tile_of(), and each of 2 would add the same numbers of whole rows to total; store() them, or use {2, 1}
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>(), output<"total", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};

  static constexpr void body(auto& sm, auto X, auto Y, auto total) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.combine(total, {}, row_sum(x), reduction::add_in_any_order);
    sm.store(Y, {m, n}, x);
  }
};
static_assert(verified<kernel>);
