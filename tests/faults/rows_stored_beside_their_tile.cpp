// fault: Rows whose tiles are stored beside their places
// caught: compile time
// expect: operand Y is stored in a loop, but not at each tile once: the work of rows_of(Y) is a whole row of tiles; for (auto j : sm.pipelined(tiles<"N">(Y))) sm.store(Y, {.., j}, x), in no other loop
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
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {m, j + 1}, cast<float>(in_registers(sm.load(X, {m, j}))) / most);
  }
};
static_assert(verified<kernel>);
