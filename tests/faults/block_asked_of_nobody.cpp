// fault: block_of() is asked of nobody
// caught: compile time
// clang-lines: 28
// expect: block_of(Y) is asked of the body's first argument: sm.block_of(Y)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(B,M,N)", float>(), output<"Y(B,M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [b] = block_of(Y);
    sm.store(Y, {b, 0, 0}, in_registers(sm.load(X, {b, 0, 0})));
  }
};
static_assert(verified<kernel>);
