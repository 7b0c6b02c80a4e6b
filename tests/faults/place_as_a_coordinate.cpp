// fault: the place that block_of() gives, used as one coordinate of it
// caught: compile time
// expect: a coordinate of X is a whole place, as tile_of() and block_of() give it; name its coordinates: auto [m] = sm.block_of(C)
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,P,N)", bf16>(), output<"Y(M,P,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"P", 8}, {"N", 256}}, .stages = 2, .consumers = 1, .persistent = true, .swap = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto m = sm.block_of(Y);
    auto [row] = m;
    sm.store(Y, {row, 0, 0}, cast<float>(in_registers(sm.load(X, {m, 0, 0}))));
  }
};
static_assert(verified<kernel>);
