// fault: five matrices that are added element by element, outside of any loop
// caught: compile time
// expect: the program needs more than 4 rings of stages; load operands together, once in every trip of one loop, which may have one trip: for (auto once : sm.pipelined(1)) x = ..;
#include "fault.hpp"

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,N)", bf16>(), input<"B(M,N)", bf16>(), input<"C(M,N)", bf16>(),
                        input<"D(M,N)", bf16>(), input<"E(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto D, auto E, auto Y) {
    const auto at = sm.tile_of(Y);
    const auto x = [&](auto of) { return cast<float>(in_registers(sm.load(of, at))); };
    sm.store(Y, at, x(A) + x(B) + x(C) + x(D) + x(E));
  }
};
static_assert(verified<kernel>);
