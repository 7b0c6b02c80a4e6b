// fault: sums over tiles in order, by a kernel for GPUs before Hopper
// caught: compile time
// expect: operand v: the portable readings add tiles in the order in which they come; say reduction::add_in_any_order, or build for sm_90a
#include "fault.hpp"
#include <sectile/dsl/portable/plan.hpp>

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(N)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {n}, acc, reduction::add);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(portable::readable<kernel, portable::simt>);
