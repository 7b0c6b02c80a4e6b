// fault: a function of each element of a tile of s8 in shared memory
// caught: compile time
// expect: map(a, f) with a tile of A: a tile in shared memory can only be multiplied by a tile; its numbers are cast<float>(in_registers(tile))
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", s8>(), output<"C(M,N)", s32>());

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map(sm.load(A, {m, 0}), [](float x) { return x + 1; }));
  }
};
static_assert(verified<kernel>);
