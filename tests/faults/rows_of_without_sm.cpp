// fault: rows_of() that is not asked of sm
// caught: compile time
// expect: rows_of(Y) is asked of the body's first argument: sm.rows_of(Y)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = rows_of(Y);
    for (auto n : sm.pipelined(tiles<"N">(Y))) sm.store(Y, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))));
  }
};
static_assert(verified<kernel>);
