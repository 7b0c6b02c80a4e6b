// fault: an element per row and its column, stored to one vector
// caught: compile time
// expect: store to v: the value is an element per row and its column: take one of the two: auto [value, column] = .., or its .value or .column
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"v(M)", s32>(), output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(v, {m}, row_argmax(acc, {m, n}, size<"N">(C)));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
