// fault: a warp whose lanes show parts of rows to other CTAs while some still read those of the reduction before
// caught: compile time
// expect: a part of columns is overwritten while a consumer may still read it
#include "fault.hpp"

struct rows_of_two {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(Y, {m, n}, x * row_max(x) - row_min(x) * row_sum(x).total());
  }
};
static_assert(verified<rows_of_two>);

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void warp_sync() {}
};
static_assert(verified<on_machine<rows_of_two, faulty>>);
