// fault: work that is to be divided by the parts of a vector
// caught: compile time
// expect: tile_of(v): v is written element by element; the work is divided by the tiles of a matrix, output<"v(M,N)", ..>()
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(N)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(v);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {n}, acc, reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
