// fault: Rows that the columns of a cluster would share
// caught: compile time
// expect: a cluster of 1 x 2 CTAs, but rows_of() gives each CTA whole rows: there is nothing beside them; use {2, 1}
#include "fault.hpp"

/// Each row divided by the largest number in it.
struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = 3, .cluster = {1, 2}, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.rows_of(Y);
    auto most = row_max(cast<float>(in_registers(sm.load(X, {m, 0}))));
    for (auto j : sm.pipelined(tiles<"N">(X) - 1))
      most = max(most, row_max(cast<float>(in_registers(sm.load(X, {m, j + 1})))));
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {m, j}, cast<float>(in_registers(sm.load(X, {m, j}))) / most);
  }
};
static_assert(verified<kernel>);
