// fault: A tile of f32 that is cast to f32
// caught: compile time
// expect: cast to f32 of a tile of R: cast takes registers, and these hold f32 as they are: in_registers(tile)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", float>(),
                        output<"C(M,N)", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + cast<float>(sm.load(R, {m, n})));
  }
};
static_assert(verified<kernel>);
