// fault: a tile of 8 bits that registers do not hold whole
// caught: compile time
// expect: operand X: a tile of 64 x 16 (K-major, 16-byte swizzle) cannot be read by instructions of 64 x 32: 16 against 32; use 32 along N
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", e4m3>(), output<"Y(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 16}}, .stages = 2, .consumers = 1, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))) * 2.0f);
  }
};
static_assert(verified<kernel>);
