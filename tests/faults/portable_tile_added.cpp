// fault: a tile that is added where tiles are multiplied only
// caught: compile time
// expect: a tile of R is brought into registers and computed with; the portable readings only multiply tiles: this kernel needs sm_90a
#include "fault.hpp"
#include <sectile/dsl/portable/entry.hpp>

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,N)", bf16>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(R, {m, n}));
  }
};
static_assert(portable::readable<kernel, portable::simt>);
