// fault: a choice between fragments
// caught: compile time
// expect: select(c, a, b) with a fragment of f32, 64 x 64 and a fragment of f32, 64 x 64: it chooses between numbers; element by element it is map(x, y, f), by their place mask(x, at, visible, value)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", float>(), scalar<"t", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y, auto t) {
    auto [m, n] = sm.tile_of(Y);
    auto x = cast<float>(in_registers(sm.load(X, {m, n})));
    sm.store(Y, {m, n}, select(t > 0.0f, x, -x));
  }
};
static_assert(verified<kernel>);
