// fault: a tile that is turned on its way into registers, of columns that no instruction divides
// caught: compile time
// expect: operand R: a tile of 64 x 72 (MN-major, 128-byte swizzle) cannot be read by instructions of 64 x 16: 72 against 16; use 80 along N, or a multiple of 128 along M
#include "fault.hpp"

template <int Rows>
struct kernel {
  static constexpr auto operands = sectile::operands(input<"R(M,N)", bf16>(col_major), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", Rows}, {"N", 72}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto R, auto C) {
    const auto at = sm.tile_of(C);
    sm.store(C, at, cast<float>(in_registers(sm.load(R, at))));
  }
};
static_assert(verified<kernel<128>>);
static_assert(verified<kernel<64>>);
