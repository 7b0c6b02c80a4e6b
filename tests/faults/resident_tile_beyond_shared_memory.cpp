// fault: a tile that stays in shared memory, where it leaves no room for the stages
// caught: compile time
// expect: 2 stages of 65536 bytes, 131072 for what has stages of its own and 512 for the epilogue need 262704 bytes of shared memory, a CTA has 232448; 1 stage fits
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"X(M,P,N)", bf16>(), input<"gamma(P,N)", float>(), output<"Y(M,P,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"P", 8}, {"N", 4096}}, .stages = 2, .consumers = 2, .persistent = true, .swap = true};

  static constexpr void body(auto& sm, auto X, auto gamma, auto Y) {
    auto [m] = sm.block_of(Y);
    const auto x = cast<float>(in_registers(sm.load(X, {m, 0, 0})));
    sm.store(Y, {m, 0, 0}, x * in_registers(sm.load(gamma, {0, 0})));
  }
};
static_assert(verified<kernel>);
