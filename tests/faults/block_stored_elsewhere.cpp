// fault: a block that is stored at another tile than its own
// caught: compile time
// expect: operand Y is stored at tile 1 of mode 1 by the work of tile 0; store at the coordinates of block_of(Y)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(B,M,N)", float>(), output<"Y(B,M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [b] = sm.block_of(Y);
    sm.store(Y, {b, 1, 0}, in_registers(sm.load(X, {b, 0, 0})));
  }
};
static_assert(verified<kernel>);
