// fault: a running sum of rows that begins with a plain zero
// caught: compile time
// expect: a += b with a number and an unfinished row_sum(): a number stays one; sums begin with row_sum(sm.accumulator(C)), zeros, others with the first trip, outside of the loop over the rest
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.rows_of(Y);
    auto sums = 0.0f;
    for (auto j : sm.pipelined(tiles<"N">(X))) sums += row_sum(cast<float>(in_registers(sm.load(X, {m, j}))));
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {m, j}, cast<float>(in_registers(sm.load(X, {m, j}))) - sums);
  }
};
static_assert(verified<kernel>);
