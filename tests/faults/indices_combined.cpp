// fault: columns of the largest that tiles combine
// caught: compile time
// expect: combine into v: the value is an index per row; it is stored to a vector of s32; to compute with it, write cast<float>() of it
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(M)", s32>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {m}, row_argmax(acc, {m, n}, size<"N">(C)).column, reduction::min);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
