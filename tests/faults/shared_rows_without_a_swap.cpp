// fault: rows that two CTAs share, in a configuration that does not swap
// caught: compile time
// expect: a cluster of 1 x 2 CTAs that share rows, shared_rows_of(), reduces them with .swap = true only
#include "fault.hpp"

struct rows_of_two {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.shared_rows_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(Y, {m, n}, x / row_sum(x).total());
  }
};
static_assert(verified<rows_of_two>);
