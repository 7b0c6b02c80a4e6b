// fault: a configuration that swaps, of a program that brings tiles of 8 bits into registers
// caught: compile time
// expect: operand X: where .swap = true, in_registers() turns the tile, which it can only do to 16-bit elements, not e4m3; declare it col_major, or leave .swap out
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", e4m3>(), output<"Y(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .swap = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))));
  }
};
static_assert(verified<kernel>);
