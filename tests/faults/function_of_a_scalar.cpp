// fault: a function of a number that a run decides
// caught: compile time
// expect: rsqrt(a) with a number: a number that a run decides meets + - * /, min, max and select alone; give its function as a scalar, or map(x, number, f)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", float>(), scalar<"t", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y, auto t) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))) * rsqrt(t));
  }
};
static_assert(verified<kernel>);
