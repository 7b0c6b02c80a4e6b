// fault: Rows whose tiles are stored twice
// caught: compile time
// expect: operand Y is stored 2 times by the work of one tile; store each output once
#include "fault.hpp"

/// Each row divided by the largest number in it.
struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.rows_of(Y);
    auto most = row_max(cast<float>(in_registers(sm.load(X, {m, 0}))));
    for (auto j : sm.pipelined(tiles<"N">(X) - 1))
      most = max(most, row_max(cast<float>(in_registers(sm.load(X, {m, j + 1})))));
    for (auto j : sm.pipelined(tiles<"N">(Y))) {
      auto x = cast<float>(in_registers(sm.load(X, {m, j}))) / most;
      sm.store(Y, {m, j}, x);
      sm.store(Y, {m, j}, -x);
    }
  }
};
static_assert(verified<kernel>);
