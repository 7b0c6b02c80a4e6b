// fault: a part of a vector along N at a coordinate along M
// caught: compile time
// expect: coordinate 0 of a tile of bias counts tiles along N, but the one given counts along M: are they in another order? Where it is meant: as<"N">(x)
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"bias(N)", bf16>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(bias, {m}));
  }
};
static_assert(verified<kernel>);
