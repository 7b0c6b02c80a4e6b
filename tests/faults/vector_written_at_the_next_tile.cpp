// fault: a store to the part of a vector that is of the next tile
// caught: compile time
// expect: operand v is written at tile 3 of mode M by the work of tile 2; write at the coordinates of tile_of(C)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(M)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(v, {m + 1}, row_max(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
