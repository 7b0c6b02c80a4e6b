// fault: a number for each column that is multiplied to numbers of rows
// caught: compile time
// expect: a * b with a number per row and a part of v: v is along N (64), what it meets along M (128); a vector goes along one of its modes; of a fragment x along both, x * (a * b) takes the two in_registers()
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"v(N)", float>(),
                                                     output<"C(M,N)", bf16>());

  static constexpr void body(auto& sm, auto A, auto B, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = acc * (row_max(acc) * sm.load(v, {n}));
    sm.store(C, {m, n}, x);
  }
};
static_assert(verified<kernel>);
