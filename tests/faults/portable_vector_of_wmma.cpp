// fault: a vector where nobody knows which elements a thread has
// caught: compile time
// expect: operand bias is a vector: nvcuda::wmma does not say which elements a thread holds; take the SIMT reading, or build for sm_90a
#include "fault.hpp"
#include <sectile/dsl/portable/entry.hpp>

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"bias(N)", bf16>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(bias, {n}));
  }
};
static_assert(portable::readable<kernel, portable::wmma<>>);
