// fault: a block of an output that has no mode to count blocks along
// caught: compile time
// expect: block_of(Y): a block is counted along the modes before its rows and columns, and Y(M,N) has none; declare one
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [b] = sm.block_of(Y);
    sm.store(Y, {b, 0}, in_registers(sm.load(X, {b, 0})));
  }
};
static_assert(verified<kernel>);
