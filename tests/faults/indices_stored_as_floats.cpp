// fault: columns of the largest, stored to a vector of floats
// caught: compile time
// expect: store to v: indices are s32, not f32; declare v as s32
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(M)", float>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(v, {m}, row_argmax(acc, {m, n}, size<"N">(C)).column);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
