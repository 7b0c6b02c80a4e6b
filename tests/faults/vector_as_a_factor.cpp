// fault: a vector that is multiplied like a matrix
// caught: compile time
// expect: a * b with a tile of A and a part of v: a tile in shared memory can only be multiplied by a tile; its numbers are cast<float>(in_registers(tile))
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"v(K)", bf16>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += sm.load(A, {m, 0}) * sm.load(v, {0});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
