// fault: consumers abreast where one tile has all rows
// caught: compile time
// expect: .abreast = true: a tile has all of M, so there is none below it
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(B,M,N)", float>(), output<"Y(B,M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 2, .abreast = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [b] = sm.block_of(Y);
    sm.store(Y, {b, 0, 0}, in_registers(sm.load(X, {b, 0, 0})));
  }
};
static_assert(verified<kernel>);
