// fault: Sums that are multiplied by a tile of f32 in one go
// caught: compile time
// expect: a * b with a fragment of f32, 128 x 64 and a tile of R: no product takes f32; element by element: a * in_registers(b)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", float>(),
                        output<"C(M,N)", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * sm.load(R, {m, n}));
  }
};
static_assert(verified<kernel>);
