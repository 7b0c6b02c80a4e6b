// fault: rows that are asked for of two operands
// caught: compile time
// expect: rows_of() with 2 arguments: write sm.rows_of(C) with the output C and nothing else
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.rows_of(X, Y);
    for (auto n : sm.pipelined(tiles<"N">(Y))) sm.store(Y, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))));
  }
};
static_assert(verified<kernel>);
