// fault: a part of a vector before its first one
// caught: compile time
// expect: operand bias is loaded at tile -1 of mode N; tiles are numbered from 0
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"bias(N)", float>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(bias, {-1}));
  }
};
static_assert(verified<kernel>);
