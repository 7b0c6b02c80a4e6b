// fault: an exponential of a tile of 8-bit elements in shared memory
// caught: compile time
// expect: exp2(a) with a tile of A: a tile in shared memory can only be multiplied by a tile; its numbers are cast<float>(in_registers(tile))
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", e4m3>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, exp2(sm.load(A, {m, 0})));
  }
};
static_assert(verified<kernel>);
