// fault: Sums of whole rows, in a cluster whose CTAs lie beside each other and would each add up all of them
// caught: compile time
// expect: a cluster of 1 x 2 CTAs, but rows_of() gives each CTA whole rows: there is nothing beside them; use {2, 1}
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), vector_output<"r(M)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"N", 64}}, .stages = 3, .cluster = {1, 2}, .consumers = 2};

  static constexpr void body(auto& sm, auto X, auto r) {
    auto [m] = sm.rows_of(X);
    auto sums = row_sum(cast<float>(in_registers(sm.load(X, {m, 0}))));
    for (auto j : sm.pipelined(tiles<"N">(X) - 1)) sums += row_sum(cast<float>(in_registers(sm.load(X, {m, j + 1}))));
    sm.combine(r, {m}, sums, sectile::reduction::add_in_any_order);
  }
};
static_assert(verified<kernel>);
