// fault: partial results at a coordinate that counts along another mode
// caught: compile time
// expect: coordinate 0 of a tile of v counts tiles along T, but the one given counts along N: are they in another order? Where it is meant: as<"T">(x)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_output<"v(T,M)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(v, {n, m}, row_max(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
