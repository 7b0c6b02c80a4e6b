// fault: shuffled elements stored without a cast
// caught: compile time
// expect: store to Y: a value of shuffled s8 cannot become an output of s8; store cast<float>(value)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", shuffled<s8>>(), output<"Y(M,N)", s8>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, in_registers(sm.load(X, {m, n})));
  }
};
static_assert(verified<kernel>);
