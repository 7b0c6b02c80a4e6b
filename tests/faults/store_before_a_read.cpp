// fault: two outputs, where the value of the second is worked out behind the store of the first
// caught: compile time
// expect: operand Z is stored before a tile of B is read, which happens where it is used; compute all, and store then
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,N)", bf16>(), input<"B(M,N)", bf16>(),
                                                     output<"Z(M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}}, .stages = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto Z, auto C) {
    const auto at = sm.tile_of(C);
    auto a = cast<float>(in_registers(sm.load(A, at)));
    auto b = sm.load(B, at);
    sm.store(Z, at, a);
    sm.store(C, at, a + b);
  }
};
static_assert(verified<kernel>);
