// fault: A tile of tf32 that is added to sums
// caught: compile time
// expect: a + b with a fragment of f32, 128 x 64 and a tile of R: a tile in shared memory can only be multiplied by a tile; only tiles of f32, bf16, f16 and 8 bits can be computed with
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", tf32>(),
                        output<"C(M,N)", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(R, {m, n}));
  }
};
static_assert(verified<kernel>);
