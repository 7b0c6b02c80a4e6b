// fault: a running maximum that begins with a fresh accumulator's
// caught: compile time
// expect: row_max() or its like of an accumulator that has no product yet, all zeros: begin with the numbers of the first trip, and loop over the others
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.rows_of(Y);
    auto most = row_max(sm.accumulator(Y));
    for (auto j : sm.pipelined(tiles<"N">(X))) most = max(most, row_max(cast<float>(in_registers(sm.load(X, {m, j})))));
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {m, j}, cast<float>(in_registers(sm.load(X, {m, j}))) - most);
  }
};
static_assert(verified<kernel>);
