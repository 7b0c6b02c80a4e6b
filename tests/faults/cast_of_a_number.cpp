// fault: a scalar that is cast, as a fragment is
// caught: compile time
// expect: cast to f32 of a number: only fragments can be cast; a number that a run decides meets + - * /
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(sectile::input<"X(M,N)", bf16>(), sectile::scalar<"steps", int>(),
                                                     sectile::output<"Y(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto steps, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))) / sectile::cast<float>(steps));
  }
};
static_assert(verified<kernel>);
